// What a look back at one's own play has found, in a dialog over the result of a match.
import { html, useEffect, useRef } from "./vendor/ui.js";
import { Card } from "./card.js";
import { readingText } from "./cards.js";
import { Dialog } from "./dialog.js";
import { reasonText } from "./hints.js";
import { close } from "./panel.js";
import { ProposalBanner } from "./proposals.js";
import { begin, decisions, isDone, review, stop, worst } from "./review.js";
import { addSheet } from "./sheet.js";
import { table } from "./table.js";
import { addTexts, hasText, lang, t, whyText } from "./text.js";
import { reviewTexts } from "./texts/review.js";

/** @import { Hint } from "./types.js" */
/** @import { Decision, Known } from "./review.js" */

addTexts(reviewTexts);

/** An error that a tenth of a level would hide. */
const FINE = 0.05;
/** From so many standard errors on a difference is no chance. */
const SURE = 2;

/** In levels, with as many digits as the error leaves a meaning. @param {number} lost @param {number} error */
function figures(lost, error) {
  const digits = error > 0 && error < FINE ? 2 : 1;
  return { levels: lost.toFixed(digits), error: error.toFixed(digits) };
}

/** @param {string} code */
const refusalText = (code) => (hasText(`review.no.${code}`) ? t(`review.no.${code}`) : whyText(code));

export function Review() {
  useEffect(() => {
    addSheet("style/review.css");
    begin();
    return stop;
  }, []);
  // The next match wants its players: it lets nobody read on while a card is asked for.
  const isOn = table.value?.view.stage === "playing";
  const wasOn = useRef(isOn);
  useEffect(() => {
    if (isOn && !wasOn.current) close();
    wasOn.current = isOn;
  }, [isOn]);
  const known = review.value;
  return html`<${Dialog} title=${t("review.title")} onClose=${close} class="wide review">
    <${ProposalBanner} />
    ${known && html`<${State} known=${known} />
      ${isDone(known) && html`<${Found} known=${known} />`}`}
  <//>`;
}

/** How far it has come, and in the end what it has come to; read out as it changes. @param {{ known: Known }} props */
function State({ known }) {
  const { next, hands, now } = known;
  const lines = isDone(known) ? outcome(known) : [t(now === "cut" ? "review.cut" : now === "busy" ? "review.busy" : "review.asking", { hand: next, hands })];
  const shown = worst(known).length;
  return html`<div role="status">${lines.map((line) => html`<p key=${line}>${line}</p>`)}</div>
    ${!isDone(known) && html`<progress max=${hands} value=${next - 1} aria-label=${t("review.progress")}></progress>
      ${shown > 0 && html`<p class="soft">${t("review.so_far", { n: shown })}</p>`}`}`;
}

/** @param {Known} known @returns {string[]} */
function outcome(known) {
  const { found, failed, why, next, hands } = known;
  const [all, shown] = [decisions(known).length, worst(known).length];
  const leftOut = found.reduce((sum, one) => sum + one.left_out, 0);
  const lines = [
    why ? refusalText(why) : "",
    why && found.length ? t("review.missing", { from: next, hands }) : "",
    found.length ? t(all ? "review.looked" : "review.nothing", { n: all, hands: found.length }) : "",
    all ? t(shown > 1 ? "review.worse" : shown ? "review.worse_one" : "review.none", { n: shown }) : "",
    failed.length ? t("review.failed", { hands: failed.join(lang.value === "zh" ? "、" : ", ") }) : "",
    leftOut ? t("review.left_out", { n: leftOut }) : "",
  ];
  return lines.filter(Boolean);
}

/** @param {{ known: Known }} props */
function Found({ known }) {
  const shown = worst(known);
  return html`
    ${shown.length > 0 && html`<ol class="review-list">${shown.map((one) => html`<${Item} key=${`${one.hand}-${one.command}`} one=${one} level=${known.levels[one.hand] ?? ""} />`)}</ol>`}
    <${Total} known=${known} />
    ${decisions(known).length > 0 && html`<p class="soft">${t("review.note")}</p>`}`;
}

/** What all decisions together gave away, if that is no chance. @param {{ known: Known }} props */
function Total({ known }) {
  const all = decisions(known);
  const lost = all.reduce((sum, one) => sum + one.lost_milli - one.won_milli, 0) / 1000;
  const error = Math.hypot(...all.map((one) => one.error_milli)) / 1000;
  return lost > 0 && lost > SURE * error ? html`<p>${t("review.total", figures(lost, error))}</p>` : null;
}

/** @param {{ one: Decision, level: string }} props */
function Item({ one, level }) {
  return html`<li>
    <h3>${t("review.where", { hand: one.hand, n: one.left })}</h3>
    <p class="review-worth">${t("review.worth", figures(one.lost_milli / 1000, one.error_milli / 1000))}</p>
    <dl>
      <dt>${t("review.table")}</dt><dd>${one.top ? readingText(one.top) : t("review.led")}</dd>
      <dt>${t("review.you")}</dt><dd><${Choice} choice=${one.played} level=${level} /></dd>
      <dt>${t("level.expert")}</dt><dd><${Choice} choice=${one.best} level=${level} /></dd>
    </dl></li>`;
}

/** @param {{ choice: Hint, level: string }} props */
function Choice({ choice, level }) {
  const { cards, reading, reason } = choice;
  const why = reasonText(reason);
  return html`<span class="review-cards">${cards.map((face, i) => html`<${Card} key=${i} face=${face} level=${level} />`)}
      <b>${reading ? readingText(reading) : t("play.pass")}</b></span>
    ${why && html`<span class="soft">${why}</span>`}`;
}
