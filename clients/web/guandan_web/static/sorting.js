// How the hand is laid out: columns by rank, by suit, or by what could be played together. The last is
// one greedy pass, the same for the same cards. It only arranges: what is legal, the server says.
import { highFirst, isWild, rankOf, rankOrder, suitOf } from "./cards.js";

/** @import { HeldCard, Reading } from "./types.js" */

/**
 * @typedef {object} Column
 * @property {string} key  The same for as long as the column is the same one.
 * @property {HeldCard[]} cards  From the back, which is on top, to the front.
 * @property {Reading | null} group  What the cards make together; a tap takes all of them.
 * @property {boolean} gap  Does a new part of the hand begin here?
 */

/** @typedef {"rank" | "suit" | "combo"} Mode */
/** @type {Mode[]} */
export const MODES = ["rank", "suit", "combo"];

const RUN = "A23456789TJQKA";

/** @param {HeldCard[]} hand @param {string} level @param {Mode} mode @param {boolean} isFan @returns {Column[]} */
export function columnsOf(hand, level, mode, isFan) {
  const columns = mode === "suit" ? bySuit(hand, level) : mode === "combo" ? byCombo(hand, level) : byRank(hand, level);
  return isFan || mode === "suit" ? columns.flatMap(spread) : columns;
}

/** Every card its own column, for the fan. @param {Column} column @returns {Column[]} */
function spread({ cards, gap, group }) {
  return cards.map((card, i) => ({ key: card.id, cards: [card], group: null, gap: i === 0 && (gap || group !== null) }));
}

/** Where a card belongs in rows of ranks: wild cards and jokers stand by themselves.
 * @param {HeldCard} card @param {string} level */
const place = (card, level) => (isWild(card.face, level) ? "W" : rankOf(card.face));

/** @param {HeldCard[]} hand @param {string} level @returns {Column[]} */
function byRank(hand, level) {
  /** @type {Map<string, HeldCard[]>} */
  const columns = new Map();
  for (const card of [...hand].sort(highFirst(level))) {
    const key = place(card, level);
    columns.set(key, [...(columns.get(key) ?? []), card]);
  }
  const order = (/** @type {string} */ key) => (key === "W" ? 14.5 : rankOrder(key, level));
  return [...columns].sort(([a], [b]) => order(b) - order(a)).map(([key, cards]) => ({ key, cards, group: null, gap: false }));
}

/** @param {HeldCard[]} hand @param {string} level @returns {Column[]} */
function bySuit(hand, level) {
  const special = (/** @type {HeldCard} */ card) => !suitOf(card.face) || isWild(card.face, level);
  const first = byRank(hand.filter(special), level);
  const suits = [..."SHCD"].map((suit) => {
    const cards = hand.filter((one) => !special(one) && suitOf(one.face) === suit).sort(highFirst(level));
    return { key: suit, cards, group: null, gap: true };
  });
  return [...first, ...suits];
}

/** @param {HeldCard[]} hand @param {string} level @returns {Column[]} */
function byCombo(hand, level) {
  const jokers = hand.filter((card) => !suitOf(card.face));
  let rest = hand.filter((card) => suitOf(card.face) && !isWild(card.face, level)).sort(highFirst(level));
  const wilds = hand.filter((card) => isWild(card.face, level));
  /** @type {Column[]} */
  const groups = [];
  /** @param {Reading["0"]} type @param {string | null} key @param {HeldCard[]} cards */
  const group = (type, key, cards) => {
    groups.push({ key: `${type}.${cards.map((card) => card.id).join()}`, cards, group: [type, key, cards.length], gap: false });
    rest = rest.filter((card) => !cards.includes(card));
  };
  const ofRank = (/** @type {string} */ rank) => rest.filter((card) => rankOf(card.face) === rank);
  const ranks = () => [...new Set(rest.map((card) => rankOf(card.face)))];
  const bombs = (/** @type {number} */ from) => {
    for (const rank of ranks().sort((a, b) => ofRank(b).length - ofRank(a).length || rankOrder(b, level) - rankOrder(a, level))) {
      if (ofRank(rank).length >= from) group("bomb", rank, ofRank(rank));
    }
  };
  /** Runs of `span` ranks, the highest first, each rank giving `deep` cards, where `fits` all of them.
   * @param {string} type @param {number} span @param {number} deep @param {(counts: number[]) => boolean} fits @param {string} [suit] */
  const runs = (type, span, deep, fits, suit = "") => {
    for (let top = RUN.length - 1; top >= span - 1; ) {
      const parts = [...RUN.slice(top - span + 1, top + 1)].reverse().map((rank) => ofRank(rank));
      const chosen = parts.map((cards) => cards.filter((card) => !suit || suitOf(card.face) === suit).slice(0, deep));
      const isThere = chosen.every((cards) => cards.length === deep) && fits(parts.map((cards) => cards.length));
      if (isThere) group(type, RUN.charAt(top), chosen.flat());
      else top -= 1;
    }
  };
  if (jokers.length === 4) group("joker_bomb", null, jokers);
  bombs(6);
  for (const suit of "SHCD") runs("straight_flush", 5, 1, (counts) => !counts.includes(4), suit);
  bombs(4);
  runs("plate", 2, 3, (counts) => counts.every((n) => n === 3));
  runs("tube", 3, 2, (counts) => counts.every((n) => n === 2));
  runs("straight", 5, 1, (counts) => counts.filter((n) => n === 1).length >= 4);
  const loose = byRank([...(jokers.length === 4 ? [] : jokers), ...wilds, ...rest], level);
  return [...groups, ...loose.map((column, i) => ({ ...column, gap: i === 0 && groups.length > 0 }))];
}
