// What a look back at one's own play has found, in a dialog over the result of a match.
import { html, useEffect, useRef, useState } from "./vendor/ui.js";
import { Card } from "./card.js";
import { readingText } from "./cards.js";
import { Dialog } from "./dialog.js";
import { Button, Icon } from "./kit.js";
import { reasonText } from "./hints.js";
import { moment, pathOf } from "./moment.js";
import { close } from "./panel.js";
import { ProposalBanner } from "./proposals.js";
import { begin, decisions, isAgreed, isDone, others, review, stop, worst } from "./review.js";
import { go } from "./route.js";
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
  useEffect(() => {
    // Who comes back from the replay goes on reading where they were.
    const here = moment.peek()?.decision.command;
    const button = document.querySelector(`.review-list [data-command="${here}"] .review-show`);
    if (!(button instanceof HTMLElement)) return;
    button.closest("li")?.scrollIntoView({ block: "center" });
    button.focus({ preventScroll: true });
  }, []);
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
  const isHeaded = isDone(known) && decisions(known).length > 0;
  return html`<div role="status" class=${isHeaded ? "is-headed" : ""}>${lines.map((line) => html`<p key=${line}>${line}</p>`)}</div>
    ${!isDone(known) && html`<progress max=${hands} value=${next - 1} aria-label=${t("review.progress")}></progress>
      ${shown > 0 && html`<p class="soft">${t("review.so_far", { n: shown })}</p>`}`}`;
}

/** What it has come to: first how much was as it should be. @param {Known} known @returns {string[]} */
function outcome(known) {
  const { found, failed, why, next, hands } = known;
  const [every, shown] = [decisions(known), worst(known).length];
  const [n, agreed] = [every.length, every.filter(isAgreed).length];
  const leftOut = found.reduce((sum, one) => sum + one.left_out, 0);
  const lines = [
    n ? t(n === agreed ? "review.agreed_all" : "review.agreed", { n, agreed, expert: t("level.expert") }) : "",
    n > agreed ? t(shown > 1 ? "review.worse" : shown ? "review.worse_one" : "review.none", { n: shown }) : "",
    found.length && !n ? t("review.nothing", { hands: found.length }) : "",
    why ? refusalText(why) : "",
    why && found.length ? t("review.missing", { from: next, hands }) : "",
    failed.length ? t("review.failed", { hands: failed.join(lang.value === "zh" ? "、" : ", ") }) : "",
    leftOut ? t("review.left_out", { n: leftOut }) : "",
  ];
  return lines.filter(Boolean);
}

/** To the replay, at what was seen before that decision. @param {Known} known @param {Decision} decision */
function show({ code, match, found }, decision) {
  const { seat } = found[0] ?? { seat: 1 };
  moment.value = { code, match, seat, decision };
  go(pathOf(moment.value));
}

/** @param {{ known: Known }} props */
function Found({ known }) {
  const [shown, more] = [worst(known), others(known)];
  const [isOpen] = useState(() => !shown.length || more.some((one) => one.command === moment.peek()?.decision.command));
  return html`
    ${shown.length > 0 && html`<${List} known=${known} items=${shown} />`}
    <${Total} known=${known} />
    ${more.length > 0 && html`<details class="review-more" open=${isOpen}><summary>${t("review.more", { n: more.length })}</summary><${List} known=${known} items=${more} /></details>`}
    ${decisions(known).length > 0 && html`<p class="soft">${t("review.note")}</p>`}`;
}

/** @param {{ known: Known, items: Decision[] }} props */
const List = ({ known, items }) =>
  html`<ol class="review-list">${items.map((one) => html`<${Item} key=${`${one.hand}-${one.command}`} one=${one} level=${known.levels[one.hand] ?? ""} onShow=${() => show(known, one)} />`)}</ol>`;

/** What all decisions together gave away, if that is no chance. @param {{ known: Known }} props */
function Total({ known }) {
  const all = decisions(known);
  const lost = all.reduce((sum, one) => sum + one.lost_milli - one.won_milli, 0) / 1000;
  const error = Math.hypot(...all.map((one) => one.error_milli)) / 1000;
  return lost > 0 && lost > SURE * error ? html`<p>${t("review.total", figures(lost, error))}</p>` : null;
}

/** @param {Decision} one */
function worthText({ sure, lost_milli, won_milli, error_milli }) {
  if (!sure) return t("review.unsure");
  const [key, milli] = lost_milli ? ["review.worth", lost_milli] : ["review.outdone", won_milli];
  return t(key, figures(milli / 1000, error_milli / 1000));
}

/** @param {{ one: Decision, level: string, onShow: () => void }} props */
function Item({ one, level, onShow }) {
  return html`<li data-command=${one.command}>
    <h3>${t("review.where", { hand: one.hand, n: one.left })}</h3>
    <p class=${one.sure && one.lost_milli ? "review-worth" : "soft"}>${worthText(one)}</p>
    <dl>
      <dt>${t("review.table")}</dt><dd>${one.top ? readingText(one.top) : t("review.led")}</dd>
      <dt>${t("review.you")}</dt><dd><${Choice} choice=${one.played} level=${level} /></dd>
      <dt>${t("level.expert")}</dt><dd><${Choice} choice=${one.best} level=${level} /></dd>
    </dl>
    <${Button} kind="quiet" class="review-show" onClick=${onShow}><${Icon} name="eye" />${t("review.show")}<//></li>`;
}

/** @param {{ choice: Hint, level: string }} props */
function Choice({ choice, level }) {
  const { cards, reading, reason } = choice;
  const why = reasonText(reason);
  return html`<span class="review-cards">${cards.map((face, i) => html`<${Card} key=${i} face=${face} level=${level} />`)}
      <b>${reading ? readingText(reading) : t("play.pass")}</b></span>
    ${why && html`<span class="soft">${why}</span>`}`;
}
