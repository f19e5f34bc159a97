// The table before a match and after one: who sits where, what is played, when it begins.
import { html, signal, useEffect } from "./vendor/ui.js";
import { News } from "./company.js";
import { Button, Icon, LangButton } from "./kit.js";
import { Invite } from "./invite.js";
import { levelFor } from "./levels.js";
import { LobbySeat } from "./lobby_seat.js";
import { RoomRules } from "./room_rules.js";
import { follow, go } from "./route.js";
import { nameOf } from "./people.js";
import { NameField } from "./name_field.js";
import { forgetSeat } from "./settings.js";
import { sheetReady } from "./sheet.js";
import { act, placeOf, table } from "./table.js";
import { addTexts, t, whyText } from "./text.js";
import { home } from "./texts/home.js";
import { lobby } from "./texts/lobby.js";
import { options } from "./texts/options.js";
import { presets } from "./texts/presets.js";
import { refusals } from "./texts/refusals.js";
import { randomBytes } from "./wire.js";
import "./icons.js";

/** @import { Action, Answer, Seat } from "./types.js" */
/** @import { Table } from "./table.js" */

addTexts({ ...presets, ...refusals, ...options, ...home, ...lobby });
await Promise.all(["home", "lobby"].map((name) => sheetReady(`style/${name}.css`)));

/** Why the last wish was refused. It outlives this screen: whoever sits down changes the connection,
 * and has no table while that is done. */
const why = signal("");

/** @param {Action} action @returns {Promise<Answer>} */
async function doing(action) {
  why.value = "";
  const answer = await act(action);
  if (!answer.ok) why.value = whyText(answer.code, answer.text);
  return answer;
}

/** @param {string} text */
const setWhy = (text) => {
  why.value = text;
};

/** @param {{ code: string }} props */
export function Lobby({ code }) {
  const now = table.value;
  const stage = now?.view.stage;
  useEffect(() => {
    document.title = t("lobby.title", { code });
  }, [code]);
  if (!now) return null;
  const { view, seat } = now;
  return html`<main class=${stage === "match_over" ? "lobby over" : "lobby"}>
    <header class="lobby-head">
      <a class="button quiet icon" href="/" aria-label=${t("lobby.home")} title=${t("lobby.home")} onClick=${follow}><${Icon} name="back" /></a>
      <h1>${stage === "match_over" ? t("lobby.over") : t("lobby.title", { code })}</h1><span class="grow"></span><${LangButton} />
    </header>
    <div class="lobby-table">
      <section class="ring" aria-label=${t("lobby.seats")}>
        ${view.seats.map((_, i) => {
          const place = placeOf(i + 1, seat);
          return html`<${LobbySeat} key=${i} n=${/** @type {Seat} */ (i + 1)} place=${place} code=${code} doing=${doing} onWhy=${setWhy} />`;
        })}
        <div class="ring-felt" aria-hidden="true"><span lang="zh">掼蛋</span></div>
      </section>
      ${why.value && html`<p class="problem" role="alert">${why.value}</p>`}
      <${News} />
      <${Swaps} now=${now} doing=${doing} />
      ${stage === "match_over" && html`<p class="begin"><${Button} onClick=${() => go(`/replay/${code}-${view.match}`)}>${t("lobby.replay")}<//></p>`}
      ${seat === null ? html`<${Watching} now=${now} />` : stage === "match_over" ? html`<${Again} now=${now} doing=${doing} />` : html`<${Begin} now=${now} doing=${doing} />`}
    </div>
    <div class="lobby-side">
      <${Invite} code=${code} />
      <${RoomRules} now=${now} doing=${doing} />
      <p class="lobby-foot soft">
        ${view.watchers > 0 && html`<span><${Icon} name="eye" /> ${t("lobby.watchers", { n: view.watchers })}</span>`}
        ${seat !== null && html`<${Button} kind="quiet" onClick=${() => leave(code)}><${Icon} name="exit" />${t("lobby.leave")}<//>`}
      </p>
    </div>
  </main>`;
}

/** Give the seat up, and know nothing of it any more. @param {string} code */
async function leave(code) {
  if (!(await doing({ t: "leave" })).ok) return;
  forgetSeat(code);
  go("/");
}

/** Ready, or start. @param {{ now: Table, doing: (action: Action) => Promise<Answer> }} props */
function Begin({ now, doing }) {
  const { seats, host } = now.view;
  const people = seats.filter((one) => one.kind === "person");
  const ready = people.filter((one) => one.ready).length;
  const isReady = now.seat !== null && seats[now.seat - 1]?.ready;
  const isHost = host === now.seat;
  const hasEmpty = seats.some((one) => one.kind === "empty");
  /** Bots of the strength that was asked for take the empty seats. */
  const start = async () => {
    for (const [i, one] of seats.entries()) {
      if (one.kind === "empty" && !(await doing({ t: "add_bot", seat: i + 1, level: levelFor(now.levels) })).ok) return;
    }
    await doing({ t: "start" });
  };
  return html`<section class="begin">
    ${isHost
      ? html`<${Button} kind="primary" class="start" onClick=${start}><${Icon} name="play" />${t(hasEmpty ? "lobby.start.bots" : "lobby.start")}<//>`
      : html`<${Button} kind=${isReady ? "plain" : "primary"} class="start" pressed=${isReady}
          onClick=${() => doing({ t: "ready", ready: !isReady, nonce: isReady ? new Uint8Array() : randomBytes(16) })}>
          <${Icon} name=${isReady ? "close" : "check"} />${t(isReady ? "lobby.unready" : "lobby.be_ready")}<//>`}
    <p class="soft" role="status">${people.length > 1 ? t("lobby.waiting_all", { n: ready, of: people.length }) : t("lobby.alone")}
      ${" "}${!isHost && t("lobby.waiting_host")}</p>
  </section>`;
}

/** Another match, if everybody wants one. @param {{ now: Table, doing: (action: Action) => Promise<Answer> }} props */
function Again({ now, doing }) {
  const { host, proposal, consents, seats } = now.view;
  const people = seats.filter((one) => one.kind === "person").length;
  const hasAgreed = now.seat !== null && consents.includes(now.seat);
  if (proposal !== "rematch") {
    return html`<section class="begin">${host === now.seat
      ? html`<${Button} kind="primary" class="start" onClick=${() => doing({ t: "propose", proposal: "rematch" })}><${Icon} name="play" />${t("lobby.again")}<//>`
      : html`<p class="soft">${t("lobby.again.host")}</p>`}</section>`;
  }
  return html`<section class="begin">
    <p role="status">${t("lobby.again.asked", { n: consents.length, of: people })}</p>
    ${!hasAgreed && html`<div class="row">
      <${Button} kind="primary" onClick=${() => doing({ t: "consent", agree: true })}>${t("lobby.again.agree")}<//>
      <${Button} kind="quiet" onClick=${() => doing({ t: "consent", agree: false })}>${t("lobby.again.no")}<//></div>`}
  </section>`;
}

/** Who looks on may sit down where nobody does. @param {{ now: Table }} props */
function Watching({ now }) {
  const isFree = now.view.seats.some((one) => one.kind !== "person");
  return html`<section class="begin watching">
    <p>${t(isFree ? "lobby.watching" : "lobby.watching.full")}</p>
    ${isFree && html`<${NameField} />`}
  </section>`;
}

/** Who would like to have our seat. @param {{ now: Table, doing: (action: Action) => Promise<Answer> }} props */
function Swaps({ now, doing }) {
  const wishes = now.view.swaps.filter(([, to]) => to === now.seat);
  return html`<div role="status">${wishes.map(([from]) => html`<p key=${from} class="wish panel">
    <span>${t("lobby.swap.wish", { name: nameOf(from) })}</span>
    <span class="row"><${Button} onClick=${() => doing({ t: "sit", seat: from })}>${t("lobby.swap.agree")}<//>
      <${Button} kind="quiet" onClick=${() => doing({ t: "decline", seat: from })}>${t("lobby.swap.decline")}<//></span></p>`)}</div>`;
}
