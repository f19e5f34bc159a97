// A table by its address: who has a seat here comes back to it, everybody else looks on and may sit down.
import { html, useEffect } from "./vendor/ui.js";
import { Felt } from "./felt.js";
import { Button } from "./kit.js";
import { fetchExtras, Later, whenIdle } from "./later.js";
import { complain } from "./moves.js";
import { notice } from "./notice.js";
import { atLobby, close } from "./panel.js";
import { infoOf, SEATS } from "./people.js";
import { go } from "./route.js";
import { savedSeat } from "./settings.js";
import { sheetReady } from "./sheet.js";
import { ended, enter, leaveQuietly, link, resume, table } from "./table.js";
import { addTexts, hasText, t } from "./text.js";
import { tableTexts } from "./texts/table.js";

/** @import { Seat } from "./types.js" */

addTexts(tableTexts);

/** @param {string} code @param {boolean} watching */
function come(code, watching) {
  if (table.value?.code === code && (!watching || table.value.seat === null)) return;
  if (watching || !resume(code)) enter({ t: "watch", room: code });
}

/** A table is not shown before it can be shown whole. */
export const ready = Promise.all(["table", "seats", "hand"].map((name) => sheetReady(`style/${name}.css`)));

const lobby = () => import("./lobby.js").then((module) => module.Lobby);

/** What a table needs next, for somebody who is about to come to one. */
export const prefetch = () => void Promise.allSettled([fetchExtras(), lobby()]);

/** @param {{ rest: string, watching: boolean }} props */
export function Room({ rest, watching }) {
  const code = rest.toUpperCase();
  useEffect(() => {
    come(code, watching);
    return () => {
      close();
      notice.value = null;
      atLobby.value = false;
      leaveQuietly();
    };
  }, [code, watching]);
  const isThere = !!table.value;
  useEffect(() => {
    if (isThere) whenIdle(() => void fetchExtras());
  }, [isThere]);
  const isPlaying = table.value?.view.stage === "playing";
  useEffect(() => {
    if (isPlaying) atLobby.value = false;
  }, [isPlaying]);
  const now = table.value;
  if (ended.value) return html`<${Ended} code=${code} watching=${watching} />`;
  if (!now || now.code !== code) return html`<${Connecting} />`;
  const { stage } = now.view;
  if (stage === "lobby" || (stage === "match_over" && (atLobby.value || !now.public.outcome))) return html`<${Later} load=${lobby} meanwhile=${html`<${Connecting} />`} code=${code} />`;
  return html`<${Felt} below=${!watching && html`<${SitDown} code=${code} />`} />`;
}

function Connecting() {
  const { state } = link.value;
  return html`<main class="notice"><span class="spinner" aria-hidden="true"></span><p role="status">${t("link.connecting")}</p>
    ${state !== "on" && html`<${Button} kind="quiet" onClick=${() => go("/")}>${t("home")}<//>`}</main>`;
}

/** @param {{ code: string, watching: boolean }} props */
function Ended({ code, watching }) {
  const why = ended.value;
  const again = () => {
    leaveQuietly();
    come(code, watching);
  };
  const canSit = ["left", "bad_token"].includes(why);
  return html`<main class="notice ended"><h1>${hasText(`end.${why}`) ? t(`end.${why}`) : t(hasText(`why.${why}`) ? `why.${why}` : "end.other")}</h1>
    <div class="row">
      ${why === "replaced" && html`<${Button} kind="primary" onClick=${again}>${t("end.replaced.take")}<//>`}
      ${why === "bad_version" && html`<${Button} kind="primary" onClick=${() => location.reload()}>${t("retry")}<//>`}
      ${canSit && html`<${Button} onClick=${again}>${t("end.watch")}<//>`}
      ${!["replaced", "bad_version", "left", "bad_token"].includes(why) && html`<${Button} onClick=${again}>${t("retry")}<//>`}
      <${Button} kind="quiet" onClick=${() => go("/")}>${t("home")}<//>
    </div></main>`;
}

/** Seats that somebody who came by a link can have: empty ones, and a bot's with its cards. @param {{ code: string }} props */
function SitDown({ code }) {
  const free = SEATS.filter((seat) => infoOf(seat) && infoOf(seat)?.kind !== "person");
  if (!free.length || savedSeat(code)) return null;
  const sit = async (/** @type {Seat} */ seat) => {
    const { sitDown } = await import("./lobby_seat.js");
    sitDown(code, seat, (/** @type {string} */ why) => why && complain("", why));
  };
  return html`<aside class="sit-down" aria-label=${t("watch.sit")}><span>${t("watch.sit")}</span>
    ${free.map((seat) => html`<${Button} key=${seat} onClick=${() => sit(seat)}>${t("watch.seat", { n: seat, who: infoOf(seat)?.name ?? "" })}<//>`)}</aside>`;
}
