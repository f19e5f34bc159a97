// One seat of the lobby: who has it, and what the onlooker may do about it.
import { html, useState } from "./vendor/ui.js";
import { isTakenBack } from "./company.js";
import { Dialog } from "./dialog.js";
import { Button, Chips, Icon } from "./kit.js";
import { levelFor, levelText } from "./levels.js";
import { join } from "./opening.js";
import { botName, named } from "./people.js";
import { set } from "./settings.js";
import { enter, table, teamOf } from "./table.js";
import { hasText, t, whyText } from "./text.js";
import "./icons.js";

/** @import { Action, Answer, Seat, SeatInfo } from "./types.js" */

/** @param {string} level */
const botText = (level) => (hasText(`bot.${level}`) ? t(`bot.${level}`) : t("bot.any", { level }));

/** @param {SeatInfo} info @param {boolean} isMe @param {boolean} isHost The host starts, and need not be ready. */
function stateText(info, isMe, isHost) {
  if (info.kind === "empty") return "";
  if (info.kind === "bot") return botText(info.level);
  if (!info.online && !isMe) return t("lobby.away");
  if (isHost && !info.ready) return t("lobby.host");
  return t(info.ready ? "lobby.ready" : "lobby.not_ready");
}

/** Leave the onlookers' bench for a seat; back to it if somebody was faster.
 * @param {string} code @param {Seat} seat @param {(why: string) => void} onWhy */
export async function sitDown(code, seat, onWhy) {
  onWhy("");
  const why = await join(code, seat);
  if (!why) return;
  enter({ t: "watch", room: code });
  onWhy(whyText(why));
}

/** Ask whoever sits at a seat to swap, or take the question back.
 * @param {Seat} n @param {Seat} me @param {boolean} hasAsked @param {(action: Action) => Promise<Answer>} doing */
function askToSwap(n, me, hasAsked, doing) {
  if (hasAsked) isTakenBack.add(n);
  return doing({ t: "sit", seat: hasAsked ? me : n });
}

/** @typedef {{ n: Seat, place: number, code: string, doing: (action: Action) => Promise<Answer>, onWhy: (why: string) => void }} SeatProps */

/** @param {SeatProps} props */
export function LobbySeat({ n, place, code, doing, onWhy }) {
  const [isOpen, setOpen] = useState(false);
  const now = table.value;
  const info = now?.view.seats[n - 1];
  if (!now || !info) return null;
  const me = now.seat;
  const isMe = me === n;
  const isHost = me !== null && now.view.host === me;
  const name = info.kind === "empty" ? t("lobby.empty") : botName(info);
  const hasAsked = me !== null && now.view.swaps.some(([from, to]) => from === me && to === n);
  const who = `${t("lobby.seat", { n })}, ${named(name)}`;
  const sit = (/** @type {Seat} */ seat) => () => doing({ t: "sit", seat });
  return html`<div class=${`lobby-seat sits-${place} team-${teamOf(n)} ${info.kind} ${isMe ? "mine" : ""}`} data-seat=${n}>
    <span class="seat-n">${t("lobby.seat", { n })}${me !== null && place === 2 && ` · ${t("role.2")}`}${now.view.host === n &&
    html` <span class="host-mark" role="img" aria-label=${t("lobby.host")} title=${t("lobby.host")}><${Icon} name="crown" /></span>`}</span>
    <span class="seat-who"><${Icon} name=${info.kind === "bot" ? "bot" : "person"} /><b dir="auto">${name}</b>${isMe && html` <em class="mark-tag">${t("lobby.you")}</em>`}</span>
    ${info.kind !== "empty" && html`<span class=${info.kind === "person" && info.ready ? "seat-state is-ready" : "seat-state soft"}>
      ${info.kind === "person" && info.ready && html`<${Icon} name="check" />`}${hasAsked ? t("lobby.swap.asked") : stateText(info, isMe, now.view.host === n)}</span>`}
    ${me === null && info.kind !== "person" && html`<${Button} class="small" onClick=${() => sitDown(code, n, onWhy)}>${t("lobby.sit")}<//>`}
    ${isHost && info.kind === "empty" && html`<${Button} class="small" onClick=${() => doing({ t: "add_bot", seat: n, level: levelFor(now.levels) })}>${t("lobby.bot")}<//>`}
    ${me !== null && (info.kind === "empty" || (info.kind === "bot" && !isHost)) && html`<${Button} kind="quiet" class="small" onClick=${sit(n)}>${t("lobby.move")}<//>`}
    ${me !== null && !isMe && !isHost && info.kind === "person" && html`<${Button} kind="quiet" class="small" onClick=${() => askToSwap(n, me, hasAsked, doing)}>${t(hasAsked ? "lobby.swap.back" : "lobby.swap")}<//>`}
    ${isHost && !isMe && info.kind !== "empty" && html`<${Button} kind="quiet" class="small" label=${t("lobby.manage", { who })} onClick=${() => setOpen(true)}>${t("lobby.change")}<//>`}
    ${isOpen && html`<${Sheet} n=${n} info=${info} doing=${doing} hasAsked=${hasAsked} onClose=${() => setOpen(false)} />`}
  </div>`;
}

/** What the host may do about a seat that somebody has.
 * @param {{ n: Seat, info: SeatInfo, hasAsked: boolean, doing: (action: Action) => Promise<Answer>, onClose: () => void }} props */
function Sheet({ n, info, hasAsked, doing, onClose }) {
  const [isSure, setSure] = useState(false);
  const levels = table.value?.levels ?? [];
  const me = table.value?.seat ?? n;
  const done = (/** @type {Action} */ action) => () => {
    onClose();
    doing(action);
  };
  return html`<${Dialog} title=${`${t("lobby.seat", { n })} · ${named(botName(info))}`} onClose=${onClose}><div class="seat-sheet">
    ${info.kind === "bot" && html`<div class="choice-row"><span class="choice-name">${t("lobby.bot.level")}</span>
        <${Chips} label=${t("lobby.bot.level")} value=${info.level} options=${[...levels].reverse().map((level) => ({ value: level, label: levelText(level) }))}
          onChange=${(/** @type {string} */ level) => (set({ bots: level }), doing({ t: "add_bot", seat: n, level }))} /></div>
      <${Button} kind="quiet" onClick=${done({ t: "sit", seat: n })}><${Icon} name="swap" />${t("lobby.move")}<//>
      <${Button} kind="quiet" onClick=${done({ t: "remove_bot", seat: n })}><${Icon} name="close" />${t("lobby.bot.remove")}<//>`}
    ${info.kind === "person" && html`<${Button} onClick=${() => (onClose(), askToSwap(n, me, hasAsked, doing))}><${Icon} name="swap" />${t(hasAsked ? "lobby.swap.back" : "lobby.swap")}<//>
      ${isSure
        ? html`<p>${t("lobby.kick.sure", { name: named(info.name) })}</p><div class="row"><${Button} kind="danger" onClick=${done({ t: "kick", seat: n })}>${t("lobby.kick")}<//>
            <${Button} kind="quiet" onClick=${() => setSure(false)}>${t("cancel")}<//></div>`
        : html`<${Button} kind="quiet" onClick=${() => setSure(true)}><${Icon} name="exit" />${t("lobby.kick")}<//>`}`}
  </div><//>`;
}
