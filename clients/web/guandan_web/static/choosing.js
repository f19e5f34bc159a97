// Which cards are taken. A selection is a set of cards, never of places, and only the player changes it.
import { batch, computed, signal } from "./vendor/ui.js";
import { isWild, rankOf, suitOf } from "./cards.js";
import { note, notice } from "./notice.js";
import { hand, isAsked, level, table, taken } from "./table.js";
import { t } from "./text.js";

/** @import { Card, HeldCard } from "./types.js" */

/** In tribute one card is asked for: which ones will do, and what is done with it. */
export const giving = computed(() => {
  const now = table.value;
  if (!now?.private || !isAsked.value || now.private.chosen) return null;
  if (now.public.phase === "paying") return { verb: "pay", legal: new Set(now.private.pay) };
  if (now.public.phase === "returning") return { verb: "give_back", legal: new Set(now.private.give_back) };
  return null;
});

/** The column that is looked at closely, by its key. */
export const opened = signal("");

/** @param {Iterable<string>} ids */
export function select(ids) {
  batch(() => {
    taken.value = new Set(ids);
    notice.value = null;
  });
}

export const clear = () => select([]);

/** @param {HeldCard[]} cards */
export const take = (cards) => (giving.value ? give(cards[0]) : select([...taken.value, ...cards.map((card) => card.id)]));

/** @param {HeldCard[]} cards */
export function putBack(cards) {
  const ids = new Set(cards.map((card) => card.id));
  select([...taken.value].filter((id) => !ids.has(id)));
}

/** @param {HeldCard} card */
export function toggle(card) {
  if (taken.value.has(card.id)) putBack([card]);
  else take([card]);
}

/** One more of these cards; all of them back if none is left. @param {HeldCard[]} cards */
export function takeOne(cards) {
  if (giving.value) return giveOneOf(cards);
  const next = cheapest(cards.filter((card) => !taken.value.has(card.id)));
  if (next) take([next]);
  else putBack(cards);
}

/** All of these cards, or all of them back. @param {HeldCard[]} cards */
export function takeAll(cards) {
  if (giving.value) return giveOneOf(cards);
  if (cards.every((card) => taken.value.has(card.id))) putBack(cards);
  else take(cards);
}

/** One back of these cards. @param {HeldCard[]} cards */
export function putOneBack(cards) {
  const last = cards.findLast((card) => taken.value.has(card.id));
  if (last) putBack([last]);
}

/** The one whose suit is least likely to make a straight flush. @param {HeldCard[]} cards */
function cheapest(cards) {
  const near = (/** @type {HeldCard} */ card) => hand.value.filter((one) => suitOf(one.face) === suitOf(card.face) && one.face !== card.face && Math.abs(at(one) - at(card)) < 5).length;
  return cards.reduce((best, card) => (best && near(best) <= near(card) ? best : card), /** @type {HeldCard | undefined} */ (cards[0]));
}

/** @param {HeldCard} card */
const at = (card) => "23456789TJQKA".indexOf(rankOf(card.face));

/** @param {HeldCard | undefined} card */
function give(card) {
  if (!card || !giving.value) return;
  if (giving.value.legal.has(card.face)) select([card.id]);
  else note(t(`why.not_eligible`));
}

/** In tribute: the next of these that may be given. @param {HeldCard[]} cards */
function giveOneOf(cards) {
  const may = cards.filter((card) => giving.value?.legal.has(card.face));
  const now = may.findIndex((card) => taken.value.has(card.id));
  give(may[(now + 1) % may.length] ?? cards[0]);
}

/** The cards of the hand that a rank's key means: never the wild by its rank. @param {string} rank "W" for wilds. */
export function ofRank(rank) {
  return hand.value.filter((card) => (isWild(card.face, level.value) ? "W" : rankOf(card.face)) === rank);
}

/** The hand's cards for faces that the server names. @param {Card[]} faces */
export function heldAs(faces) {
  const free = [...hand.value];
  return faces.flatMap((face) => {
    const i = free.findIndex((card) => card.face === face);
    return i < 0 ? [] : free.splice(i, 1);
  });
}
