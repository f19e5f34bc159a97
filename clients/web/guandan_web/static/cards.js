// Cards as the page shows and orders them. No rule of play lives here: what cards form, and what
// beats what, is asked of the server.
import { hasText, t } from "./text.js";

/** @import { Card, HeldCard, Reading } from "./types.js" */

const RANKS = "23456789TJQKA";

/** The rank of a face: "2" … "A", "X" or "Y". @param {Card} face */
export const rankOf = (face) => (face.length === 1 ? face : face.charAt(1));

/** The suit of a face; empty for jokers. @param {Card} face */
export const suitOf = (face) => (face.length === 1 ? "" : face.charAt(0));

/** Is it a wild at this level? @param {Card} face @param {string} level */
export const isWild = (face, level) => face === `H${level}`;

/** How ranks stand on a table of this level, lowest first: jokers on top, then the level's own.
 * @param {string} rank @param {string} level */
export function rankOrder(rank, level) {
  if (rank === "Y") return 16;
  if (rank === "X") return 15;
  return rank === level ? 14 : RANKS.indexOf(rank);
}

/** A rank as it is printed: ten has two letters. @param {string} rank */
export const rankText = (rank) => (rank === "T" ? "10" : rank);

/** A card in words. @param {Card} face @param {string} [level] Given, a wild is called one. */
export function cardText(face, level = "") {
  const name = face.length === 1 ? t(`card.${face}`) : t("card.face", { rank: rankText(rankOf(face)), suit: t(`suit.${suitOf(face)}`) });
  return level && isWild(face, level) ? t("card.wild", { card: name }) : name;
}

/** How many ranks a run has. @type {Record<string, number>} */
const SPANS = { straight: 5, straight_flush: 5, tube: 3, plate: 2 };

/** A reading in words: "Pair of 9s", "Straight 5–9". @param {Reading} reading */
export function readingText([type, key, n]) {
  if (key === null) return t(`reading.${type}`);
  const rank = hasText(`rank.${key}`) ? t(`rank.${key}`) : rankText(key);
  const ranks = hasText(`rank.${key}s`) ? t(`rank.${key}s`) : t("rank.plural", { rank });
  const span = SPANS[type];
  const low = span ? rankText(("A" + RANKS).charAt(RANKS.indexOf(key) + 2 - span)) : "";
  return t(`reading.${type}`, { rank, ranks, n, low, high: rank });
}

/** Is a play of this type a bomb? @param {Reading} reading */
export const isBomb = ([type]) => type === "bomb" || type === "straight_flush" || type === "joker_bomb";

/** The hand with its two copies of a face told apart, so that a selection survives every update.
 * @param {Card[]} hand @returns {HeldCard[]} */
export function held(hand) {
  /** @type {Map<Card, number>} */
  const seen = new Map();
  return hand.map((face) => {
    const copy = seen.get(face) ?? 0;
    seen.set(face, copy + 1);
    return { id: `${face}.${copy}`, face };
  });
}

const SUITS = "SHCD";

/** Highest first; within a rank by suit. @param {string} level @returns {(a: HeldCard, b: HeldCard) => number} */
export const highFirst = (level) => (a, b) =>
  rankOrder(rankOf(b.face), level) - rankOrder(rankOf(a.face), level) ||
  SUITS.indexOf(suitOf(a.face)) - SUITS.indexOf(suitOf(b.face)) ||
  a.id.localeCompare(b.id);
