// A record as moments that can be looked at, one after each thing that happened.

/** @import { Card, Gift, Reading, Seat } from "./types.js" */
/** @import { MatchRecord, RecordedHand, Step } from "./record.js" */
import { RecordError } from "./record.js";

/**
 * @typedef {object} Frame
 * @property {number} hand  Index of the hand.
 * @property {number} trick  Counted within the hand; 0 before the first card.
 * @property {Step} step  What happened.
 * @property {Card[][]} hands  What each seat holds after it.
 * @property {(null | "pass" | { cards: Card[], reading: Reading })[]} shown  What each did last in this trick.
 * @property {Seat | null} by  Who made the play that is to be beaten.
 * @property {Seat[]} out  Who has gone out, in that order.
 */

/** @param {readonly Card[]} hand @param {readonly Card[]} cards */
function without(hand, cards) {
  const left = [...hand];
  for (const card of cards) {
    const at = left.indexOf(card);
    if (at < 0) throw new RecordError("not_held", 0);
    left.splice(at, 1);
  }
  return left;
}

/** @param {Card[][]} hands @param {Gift[]} gifts */
function moved(hands, gifts) {
  const after = [...hands];
  for (const { donor, card } of gifts) after[donor - 1] = without(after[donor - 1] ?? [], [card]);
  for (const { recipient, card } of gifts) after[recipient - 1] = [...(after[recipient - 1] ?? []), card];
  return after;
}

/** All moments of a match, in order. @param {MatchRecord} record @returns {Frame[]} */
export const framesOf = (record) => record.hands.flatMap(framesOfHand);

/** @param {RecordedHand} hand @param {number} index @returns {Frame[]} */
function framesOfHand(hand, index) {
  /** @type {Frame[]} */
  const frames = [];
  let { deal: hands } = hand;
  let trick = 0;
  let isOver = true;
  /** @type {Frame["shown"]} */
  let shown = [null, null, null, null];
  /** @type {Seat | null} */
  let by = null;
  /** @type {Seat[]} */
  let out = [];
  for (const step of hand.steps) {
    const { move } = step;
    if (move && (move.t === "play" || move.t === "pass")) {
      if (isOver) {
        trick += 1;
        shown = [null, null, null, null];
        by = null;
        isOver = false;
      }
      shown = [...shown];
      if (move.t === "pass") shown[move.seat - 1] = "pass";
      else {
        shown[move.seat - 1] = { cards: move.cards, reading: move.reading };
        by = move.seat;
        hands = [...hands];
        const left = without(hands[move.seat - 1] ?? [], move.cards);
        hands[move.seat - 1] = left;
        if (!left.length) out = [...out, move.seat];
      }
    }
    for (const remark of step.remarks) {
      if (remark.t === "gifts" || remark.t === "returns") hands = moved(hands, remark.gifts);
      if (remark.t === "trick") isOver = true;
      if (remark.t === "ended") out = remark.finish;
    }
    frames.push({ hand: index, trick, step, hands, shown, by, out });
  }
  return frames;
}

/** Where a jump leads. @param {Frame[]} frames @param {number} at @param {1 | -1} by @param {"step" | "trick" | "hand"} unit */
export function jump(frames, at, by, unit) {
  const last = frames.length - 1;
  const here = frames[at];
  if (unit === "step" || !here) return Math.max(0, Math.min(last, at + by));
  const isSame = (/** @type {Frame | undefined} */ one, /** @type {Frame} */ other) => one?.hand === other.hand && (unit === "hand" || one.trick === other.trick);
  if (by > 0) {
    let to = at;
    while (to < last && isSame(frames[to], here)) to += 1;
    return to;
  }
  // Back to where this one began; from there, to where the one before it began.
  const from = at > 0 && !isSame(frames[at - 1], here) ? at - 1 : at;
  const there = frames[from] ?? here;
  let to = from;
  while (to > 0 && isSame(frames[to - 1], there)) to -= 1;
  return to;
}
