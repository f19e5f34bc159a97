// The four seats: who sits there, how many cards are left, what was played last.
import { html } from "./vendor/ui.js";
import { Card } from "./card.js";
import { isBomb, isWild, rankOf, rankOrder, readingText } from "./cards.js";
import { Clock } from "./clock.js";
import { Icon } from "./kit.js";
import { extras } from "./later.js";
import { Avatar, botName, infoOf, isOurs, place, presence, roleText, whoText } from "./people.js";
import { level, mySeat, table, teamOf } from "./table.js";
import { t } from "./text.js";
import { leader, onTable } from "./trick.js";

/** @import { Card as Face, Offer, Seat } from "./types.js" */

/** From so many cards on, the count is announced. */
export const FEW = 10;

/** Must this seat act now? @param {Seat} seat */
export const isTurnOf = (seat) => table.value?.view.stage === "playing" && !!table.value.public.asked.includes(seat);

/** How many cards, and how few. @param {{ seat: Seat }} props */
function Count({ seat }) {
  const now = table.value?.public;
  const n = now?.counts[seat - 1];
  if (!now?.hand || n === undefined || n === 0) return null;
  if (n === null) return html`<span class="count" aria-label=${t("count.many", { n: FEW })}>${FEW}+</span>`;
  if (n > FEW && mySeat.value === null && extras.value) return html`<${extras.value.Backs} n=${n} />`;
  if (n > FEW) return html`<span class="count" aria-label=${t("count.cards", { n })}>${n}</span>`;
  return html`<span class="count few" aria-label=${t("count.cards", { n })}>${t("count.few", { n })}</span>`;
}

/** @param {{ seat: Seat }} props */
export function SeatBox({ seat }) {
  const now = table.value;
  const info = infoOf(seat);
  if (!now || !info) return null;
  const rank = now.public.out.indexOf(seat) + 1;
  const state = presence(info);
  const isOver = now.public.phase === "hand_over" || now.public.phase === "match_over";
  const side = isOurs(teamOf(seat)) ? "us" : "them";
  const classes = ["seat", `place-${place(seat)}`, side, isTurnOf(seat) ? "asked" : "", state].filter(Boolean).join(" ");
  return html`<section class=${classes} data-seat=${seat} aria-label=${`${whoText(seat)}, ${roleText(seat)}`}>
    <${Avatar} seat=${seat} />
    <div class="who">
      <b class="name" dir="auto" title=${botName(info)}>${seat === mySeat.value ? whoText(seat) : botName(info)}${now.view.host === seat && html`<span class="host" title=${t("seat.host")}><${Icon} name="crown" /></span>`}</b>
      <small dir="auto">${state ? t(`seat.${state}`) : isOver && info.kind === "person" && info.ready ? t("seat.ready") : seat === mySeat.value ? info.name : roleText(seat)}</small>
    </div>
    ${rank > 0 && rank < 5 ? html`<span class=${`plate place-mark-${rank}`}>${t(`place.${rank}`)}</span>` : html`<${Count} seat=${seat} />`}
    ${seat !== mySeat.value && isTurnOf(seat) && html`<${Clock} />`}
    ${leader.value === seat && html`<span class="led" title=${t("seat.led")}>${t("seat.led_mark")}</span>`}
    ${extras.value && html`<${extras.value.Bubble} seat=${seat} />`}
  </section>`;
}

/** The cards of a play in the order in which they are read, each with the face it stands for. @param {Offer} offer */
export function inOrder({ cards, reading: [type, key], shown_as: shown = [] }) {
  let wilds = 0;
  const all = cards.map((face) => ({ face, as: isWild(face, level.value) ? (shown[wilds++] ?? face) : face }));
  const isRun = ["straight", "straight_flush", "tube", "plate"].includes(type);
  const isLow = isRun && ((type === "tube" && key === "3") || (type === "plate" && key === "2") || key === "5" && type.startsWith("straight"));
  const size = (/** @type {Face} */ as) => all.filter((one) => rankOf(one.as) === rankOf(as)).length;
  const order = (/** @type {Face} */ as) => (isRun ? (isLow && rankOf(as) === "A" ? -1 : "23456789TJQKA".indexOf(rankOf(as))) : size(as) * 100 + rankOrder(rankOf(as), level.value));
  return all.map((one, i) => ({ ...one, id: i })).sort((a, b) => order(b.as) - order(a.as) || a.id - b.id);
}

/** What a seat did last in the trick. @param {{ seat: Seat }} props */
export function LastPlay({ seat }) {
  const { shown, isPast } = onTable.value;
  const what = shown[seat - 1];
  const isTop = !isPast && table.value?.public.by === seat && !!table.value.public.top;
  const classes = ["play", `at-${place(seat)}`, isTop ? "top" : "", isPast ? "past" : ""].filter(Boolean).join(" ");
  if (!what) return html`<div class=${classes} data-play=${seat}></div>`;
  if (what === "pass") return html`<div class=${classes} data-play=${seat}>${!isPast && html`<span class="pass">${t("play.passed")}</span>`}</div>`;
  const n = what.cards.length;
  const name = readingText(what.reading);
  return html`<div class=${classes} data-play=${seat} aria-label=${`${whoText(seat)}: ${name}`} role="img">
    <div class=${n > 8 ? "cards most" : n > 6 ? "cards many" : "cards"} key=${what.cards.join("")} style=${{ "--n": n }}>
      ${inOrder(what).map(({ face, as, id }) => html`<${Card} key=${id} face=${face} level=${level.value} as=${as} />`)}
    </div>
    ${isTop && html`<span class=${isBomb(what.reading) ? "caption bomb" : "caption"} aria-hidden="true">${name}</span>`}
  </div>`;
}
