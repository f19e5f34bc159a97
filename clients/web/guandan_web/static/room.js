// A table by its address: who has a seat here comes back to it, everybody else looks on and may sit down.
import { html, useEffect } from "./vendor/ui.js";
import { Felt } from "./felt.js";
import { Button } from "./kit.js";
import { fetchExtras, Later, whenIdle } from "./later.js";
import { notice } from "./notice.js";
import { atLobby, close } from "./panel.js";
import { go } from "./route.js";
import { savedSeat } from "./settings.js";
import { sheetReady } from "./sheet.js";
import { ended, enter, leaveQuietly, link, resume, table } from "./table.js";
import { addTexts, t } from "./text.js";
import { tableTexts } from "./texts/table.js";

addTexts(tableTexts);

/** @param {string} code @param {boolean} watching */
function come(code, watching) {
  if (table.value?.code === code && (!watching || table.value.seat === null)) return;
  if (watching || !resume(code)) enter({ t: "watch", room: code });
}

/** A table is not shown before it can be shown whole. */
export const ready = Promise.all(["table", "seats", "hand"].map((name) => sheetReady(`style/${name}.css`)));

const ending = () => import("./ended.js").then((module) => module.Ended);
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
  const again = () => {
    leaveQuietly();
    come(code, watching);
  };
  if (ended.value) return html`<${Later} load=${ending} again=${again} />`;
  if (!now || now.code !== code) return html`<${Connecting} />`;
  const { stage } = now.view;
  if (stage === "lobby" || (stage === "match_over" && (atLobby.value || !now.public.outcome))) return html`<${Later} load=${lobby} meanwhile=${html`<${Connecting} />`} code=${code} />`;
  return html`<${Felt} canSit=${!watching} />`;
}

function Connecting() {
  const { state } = link.value;
  return html`<main class="notice"><span class="spinner" aria-hidden="true"></span><p role="status">${t("link.connecting")}</p>
    ${state !== "on" && html`<${Button} kind="quiet" onClick=${() => go("/")}>${t("home")}<//>`}</main>`;
}
