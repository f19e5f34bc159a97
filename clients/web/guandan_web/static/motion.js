// What moves: cards that run in, cards that are played, cards that change hands. It only shows what has
// happened already, a tap ends it, and nothing waits for it.
import { html, render } from "./vendor/ui.js";
import { Card } from "./card.js";
import { level, mySeat, onEvents, onReturn, table } from "./table.js";
import { isCalm, settings } from "./settings.js";
import { t } from "./text.js";

/** @import { Gift, Public, TableEvent } from "./types.js" */

const DEAL_MS = 1200;
/** @type {Set<Animation>} */
const running = new Set();

/** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} timing */
function animate(element, frames, timing) {
  const animation = element.animate(frames, { easing: "cubic-bezier(.2,.8,.3,1)", fill: "backwards", ...timing });
  running.add(animation);
  const gone = () => running.delete(animation);
  animation.finished.then(gone, gone);
  return animation;
}

/** Everything that moves is where it goes. */
function skip() {
  for (const animation of running) animation.finish();
}
addEventListener("pointerdown", skip, { capture: true });
addEventListener("keydown", skip, { capture: true });

const moveMs = () => (settings.value.motion === "quick" ? 150 : 300);

/** After the page has been drawn anew. @param {() => void} then */
const drawn = (then) => requestAnimationFrame(() => requestAnimationFrame(then));

onEvents((events) => {
  if (isCalm() || document.hidden) return;
  // Many steps at once are a catching-up: one look at the result says more than all of them flying.
  if (events.length > 8) return;
  const wait = events.some((event) => event.t === "dealt") ? DEAL_MS : 0;
  for (const event of events) begin(event, wait);
});

/** @param {TableEvent} event @param {number} wait Gifts wait until the hand is there. */
function begin(event, wait) {
  if (event.t === "dealt") drawn(runIn);
  else if (event.t === "played") fly(event.seat, event.cards);
  else if (event.t === "tribute_paid") drawn(() => event.gifts.forEach((gift) => pass(gift, t("tribute.plate_paid"), wait)));
  else if (event.t === "cards_returned") drawn(() => event.returns.forEach((gift) => pass(gift, t("tribute.plate_returned"), wait)));
}

/** Between one play and the next that is caught up with: four of them take less than two seconds. */
const STEP_MS = 420;

// What was played while the connection was away, one seat after the other, to who is asked now.
onReturn((before, after) => {
  if (isCalm() || document.hidden) return;
  if (isUnplayed(after)) {
    if (before.hand !== after.hand) drawn(runIn);
    return;
  }
  const first = after.asked[0] ?? 1;
  const seats = [0, 1, 2, 3].map((i) => ((first - 1 + i) % 4) + 1);
  const isNew = (/** @type {number} */ seat) => JSON.stringify(after.shown[seat - 1]) !== JSON.stringify(before.shown[seat - 1]);
  seats.filter(isNew).forEach((seat, i) => {
    const what = after.shown[seat - 1];
    if (what === "pass") drawn(() => appear(seat, i * STEP_MS));
    else if (what) fly(seat, what.cards, i * STEP_MS);
  });
});

/** @param {number} seat @param {number} delay */
function appear(seat, delay) {
  const word = document.querySelector(`[data-play="${seat}"] .pass`);
  if (word) animate(word, [{ opacity: 0, transform: "scale(.7)" }, { opacity: 1, transform: "none" }], { duration: moveMs(), delay });
}

/** @param {Public} now */
const isUnplayed = (now) => !now.played.some((cards) => cards.length);

/** A table that is come to with a new hand on it: it was dealt just now. */
export function greet() {
  const now = table.value?.public;
  if (now?.hand && !isCalm() && isUnplayed(now)) drawn(runIn);
}

/** A new hand runs in, card by card. */
function runIn() {
  const cards = [...document.querySelectorAll(".hand .held")];
  const hand = document.querySelector(".hand")?.getBoundingClientRect();
  if (!hand) return;
  const each = (settings.value.motion === "quick" ? DEAL_MS / 3 : DEAL_MS) / Math.max(1, cards.length);
  cards.forEach((card, i) => {
    const from = card.getBoundingClientRect();
    const dx = hand.left + hand.width / 2 - from.left - from.width / 2;
    animate(card, [{ transform: `translate(${dx}px, ${-hand.top * 0.45}px) scale(.6)`, opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 260, delay: i * each });
  });
}

/** Where cards come from: the hand's own places, or the seat. @param {number} seat @param {string[]} faces */
function sources(seat, faces) {
  if (seat === mySeat.value) {
    const held = [...document.querySelectorAll(".hand .held.taken .card"), ...document.querySelectorAll(".hand .held:not(.taken) .card")];
    return faces.map((face) => {
      const i = held.findIndex((card) => card.getAttribute("data-face") === face);
      return i < 0 ? undefined : held.splice(i, 1)[0]?.getBoundingClientRect();
    });
  }
  const box = document.querySelector(`.seat[data-seat="${seat}"] .avatar`)?.getBoundingClientRect();
  return faces.map(() => box);
}

/** Played cards fly to where they lie. The page has not been drawn anew yet: the hand still has them.
 * @param {number} seat @param {string[]} faces @param {number} [delay] */
function fly(seat, faces, delay = 0) {
  const from = sources(seat, faces);
  drawn(() => {
    const left = faces.map((face, i) => ({ face, box: from[i] }));
    document.querySelectorAll(`[data-play="${seat}"]:not(.past) .card`).forEach((card) => {
      const i = left.findIndex((one) => one.face === card.getAttribute("data-face"));
      const start = i < 0 ? undefined : left.splice(i, 1)[0]?.box;
      if (!start) return;
      const end = card.getBoundingClientRect();
      const scale = seat === mySeat.value ? start.width / end.width : 0.4;
      const [dx, dy] = [start.left + start.width / 2 - end.left - end.width / 2, start.top + start.height / 2 - end.top - end.height / 2];
      animate(card, [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})`, opacity: delay ? 0 : 0.4 }, { transform: "none", opacity: 1 }], { duration: moveMs(), delay });
    });
  });
}

/** A card goes from seat to seat, with a plate that says what it is. @param {Gift} gift @param {string} plate @param {number} delay */
function pass({ donor, recipient, card }, plate, delay) {
  const [from, to] = [donor, recipient].map((seat) => document.querySelector(`.seat[data-seat="${seat}"]`)?.getBoundingClientRect());
  if (!from || !to) return;
  const holder = document.createElement("div");
  holder.className = "flight";
  document.querySelector(".table")?.append(holder);
  render(html`<${Card} face=${card} level=${level.value} /><span class="tribute-plate">${plate}</span>`, holder);
  const at = (/** @type {DOMRect} */ box, /** @type {number} */ scale) => `translate(${box.left + box.width / 2 - 28}px, ${box.top + box.height / 2 - 38}px) scale(${scale})`;
  const slow = settings.value.motion === "quick" ? 0.5 : 1;
  const animation = animate(holder, [{ transform: at(from, 0.6) }, { transform: at(from, 1.15), offset: 0.3 }, { transform: at(to, 1.15), offset: 0.75 }, { transform: at(to, 0.6), opacity: 0 }], { duration: 1300 * slow, delay: delay * slow, easing: "ease-in-out" });
  animation.finished.finally(() => holder.remove());
}
