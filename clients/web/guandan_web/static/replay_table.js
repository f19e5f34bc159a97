// The table of a replay: four hands, open or not, and what each seat did last.
import { html } from "./vendor/ui.js";
import { Back, Card } from "./card.js";
import { cardText, held, highFirst, isBomb, readingText } from "./cards.js";
import { placeIn } from "./replay_words.js";
import { placeOf, teamOf } from "./table.js";
import { t } from "./text.js";

/** @import { Seat } from "./types.js" */
/** @import { Frame } from "./frames.js" */

/** @type {Seat[]} */
const SEATS = [1, 2, 3, 4];

/**
 * @param {{ frame: Frame, level: string, name: (seat: number) => string, eye: Seat | 0, own: Seat | null, words: string[] }} props
 *   `eye`: whose cards are open, 0 for all. `own`: the reader's seat, if they are here for what they did; then it comes first.
 */
export function ReplayTable({ frame, level, name, eye, own, words }) {
  const seats = SEATS.map((_, i) => SEATS[((own ?? 1) - 1 + i) % SEATS.length] ?? 1);
  return html`<div class="replay-table">
    ${seats.map((seat) => html`<${Strip} key=${seat} seat=${seat} frame=${frame} level=${level} name=${name(seat)}
      isOwn=${seat === own} isOpen=${eye === 0 || eye === seat} place=${placeOf(seat, eye || (own ?? 1))} />`)}
    <div class="replay-words" role="status">${words.map((text, i) => html`<p key=${i}>${text}</p>`)}</div>
  </div>`;
}

/** @param {{ seat: Seat, frame: Frame, level: string, name: string, isOwn: boolean, isOpen: boolean, place: number }} props */
function Strip({ seat, frame, level, name, isOwn, isOpen, place }) {
  const cards = held(frame.hands[seat - 1] ?? []).sort(highFirst(level));
  const finished = placeIn(seat, frame);
  const isNow = frame.step.move?.seat === seat;
  const label = isOpen ? t("replay.holds", { name, cards: cards.map((card) => cardText(card.face, level)).join(", ") }) : t("replay.hidden", { name, n: cards.length });
  return html`<section class=${`rp-seat rp-at-${place} ${isNow ? "is-now" : ""} team-${teamOf(seat)}`} aria-label=${name} data-seat=${seat}>
    <div class="rp-head"><b>${name}</b>
      ${finished > 0 ? html`<span class=${`rp-place rp-place-${finished}`}>${t(`place.${finished}`)}</span>` : html`<span class="soft">${t(isOwn ? "replay.count.own" : "replay.count", { n: cards.length })}</span>`}</div>
    <div class="rp-hand" role="img" aria-label=${label}>${cards.map((card) => (isOpen ? html`<${Card} key=${card.id} face=${card.face} level=${level} />` : html`<${Back} key=${card.id} />`))}</div>
    <${Shown} shown=${frame.shown[seat - 1] ?? null} isTop=${frame.by === seat} level=${level} />
  </section>`;
}

/** @param {{ shown: Frame["shown"][number], isTop: boolean, level: string }} props */
function Shown({ shown, isTop, level }) {
  if (shown === null) return html`<div class="rp-play"></div>`;
  if (shown === "pass") return html`<div class="rp-play"><span class="soft">${t("say.pass.short")}</span></div>`;
  return html`<div class=${isTop ? "rp-play is-top" : "rp-play"}>
    <span class="rp-fan">${held(shown.cards).sort(highFirst(level)).map((card) => html`<${Card} key=${card.id} face=${card.face} level=${level} />`)}</span>
    <span class=${isBomb(shown.reading) ? "rp-reading is-bomb" : "rp-reading"}>${readingText(shown.reading)}</span></div>`;
}
