// A record's text, read: the file that the server keeps of a finished match.
//
// Only what has to be said is said in its commands; what the rules make of them stands in comments,
// which the server writes from the engine's own events. They are read here so that no rule of the
// game has to be known: who got which gift, who won a trick, what a hand came to.
import { fromHex } from "./settings.js";

/** @import { Card, Gift, HandSummary, OptionValue, PerTeam, Reading, Seat, Team } from "./types.js" */

/**
 * @typedef {{ t: "play", seat: Seat, cards: Card[], reading: Reading } | { t: "pass", seat: Seat }
 *   | { t: "pay" | "return", seat: Seat, card: Card }} Move
 * @typedef {{ t: "opens", card: Card, seat: Seat } | { t: "resisted", holders: Seat[] } | { t: "gifts" | "returns", gifts: Gift[] }
 *   | { t: "trick", winner: Seat, leader: Seat } | { t: "ended", finish: Seat[], team: Team, gain: number, levels: PerTeam<string> }
 *   | { t: "won", team: Team }} Remark
 * @typedef {{ move: Move | null, isClock: boolean, remarks: Remark[] }} Step  Without a move: the deal.
 * @typedef {{ number: number, level: string, seed: Uint8Array, commitment: Uint8Array, nonces: Uint8Array[],
 *   deal: Card[][], steps: Step[] }} RecordedHand
 * @typedef {{ preset: string, options: Record<string, OptionValue>, names: string[], hands: RecordedHand[] }} MatchRecord
 */

/** A text that is no record, or none that this page can read: `code` says how, `line` where. */
export class RecordError extends Error {
  /** @param {string} code @param {number} line */
  constructor(code, line) {
    super(`${code}, line ${line}`);
    this.code = code;
    this.line = line;
  }
}

const SIZES = { single: 1, pair: 2, triple: 3, full_house: 5, straight: 5, straight_flush: 5, tube: 6, plate: 6, joker_bomb: 4 };
const CARD = /^(?:[SHCD][2-9TJQKA]|[XY])$/;
const HAND_CARDS = 27;

/** @param {string} text @returns {OptionValue} */
function optionValue(text) {
  if (text === "none") return null;
  if (text === "true" || text === "false") return text === "true";
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** @param {string} text @returns {Reading} */
export function readingOf(text) {
  const [type = "", one = "", two = ""] = text.split("-");
  if (type === "bomb") return ["bomb", two, Number(one)];
  return [type, one || null, /** @type {Record<string, number>} */ (SIZES)[type] ?? 0];
}

/** @param {string} text @returns {Seat} */
const seatOf = (text) => /** @type {Seat} */ (Number(text));

/** @param {string[]} words @returns {Card[]} */
function cardsOf(words) {
  if (!words.length || !words.every((word) => CARD.test(word))) throw new TypeError("cards");
  return words;
}

/** A command's words as a move. @param {string[]} words @returns {Move} */
function moveOf(words) {
  const [one = "", two = "", three = ""] = words;
  if (one === "pay" || one === "return") return { t: one, seat: seatOf(two), card: cardsOf([three])[0] ?? "" };
  if (!/^[1-4]$/.test(one)) throw new TypeError("seat");
  if (two === "pass") return { t: "pass", seat: seatOf(one) };
  const equals = words.indexOf("=");
  return { t: "play", seat: seatOf(one), cards: cardsOf(words.slice(1, equals)), reading: readingOf(words[equals + 1] ?? "") };
}

/** @param {string} text @returns {Gift[]} */
const giftsOf = (text) =>
  [...text.matchAll(/(\d) to (\d) (\w+)/g)].map(([, donor = "", recipient = "", card = ""]) => ({ donor: seatOf(donor), recipient: seatOf(recipient), card }));

/** What the engine remarks beside the commands. @type {[pattern: RegExp, read: (found: string[]) => Remark][]} */
const REMARKS = [
  [/^(\w+) is turned up: seat (\d) opens$/, ([, card = "", seat = ""]) => ({ t: "opens", card, seat: seatOf(seat) })],
  [/^no tribute: both big jokers at (.*)$/, ([, who = ""]) => ({ t: "resisted", holders: (who.match(/\d/g) ?? []).map(seatOf) })],
  [/^tribute: (.*)$/, ([, gifts = ""]) => ({ t: "gifts", gifts: giftsOf(gifts) })],
  [/^returned: (.*)$/, ([, gifts = ""]) => ({ t: "returns", gifts: giftsOf(gifts) })],
  [/^trick to seat (\d)(?:, jiefeng: seat (\d) leads)?$/, ([, winner = "", leader]) => ({ t: "trick", winner: seatOf(winner), leader: seatOf(leader ?? winner) })],
  [
    /^places (\d) (\d) (\d) (\d): (13|24) gains (\d); 13 at (\w), 24 at (\w)$/,
    ([, a = "", b = "", c = "", d = "", team, gain, one = "", two = ""]) => ({
      t: "ended", finish: [a, b, c, d].map(seatOf), team: /** @type {Team} */ (team), gain: Number(gain), levels: { "13": one, "24": two },
    }),
  ],
  [/^(13|24) wins the match$/, ([, team]) => ({ t: "won", team: /** @type {Team} */ (team) })],
];

/** Reads a record; RecordError if it is none. @param {string} text @returns {MatchRecord} */
export function parseRecord(text) {
  const lines = text.split(/\r?\n/);
  const first = (lines[0] ?? "").trim();
  if (!/^guandan-record \d+$/.test(first)) throw new RecordError("no_record", 1);
  if (first !== "guandan-record 1") throw new RecordError("newer_record", 1);
  /** @type {MatchRecord} */
  const record = { preset: "site", options: {}, names: ["", "", "", ""], hands: [] };
  lines.forEach((line, i) => {
    if (i === 0 || !line.trim()) return;
    try {
      readLine(record, line.trim());
    } catch (error) {
      throw error instanceof RecordError ? new RecordError(error.code, i + 1) : new RecordError("bad_line", i + 1);
    }
  });
  for (const hand of record.hands) {
    if (hand.steps.some((step) => step.isClock && !step.move)) throw new RecordError("old_record", 1);
    if (hand.deal.some((cards) => cards.length !== HAND_CARDS)) throw new RecordError("bad_line", 1);
  }
  return record;
}

/** @param {MatchRecord} record @param {string} line */
function readLine(record, line) {
  const words = line.split(/\s+/);
  const [head = "", two = ""] = words;
  const hand = record.hands.at(-1);
  if (head === "#") return hand && remark(hand, line.slice(1).trim());
  if (head === "end") return;
  if (head === "preset") record.preset = two;
  else if (head === "option") record.options[two] = optionValue(words[2] ?? "");
  else if (head === "name") record.names[Number(two) - 1] = words.slice(2).join(" ");
  else if (head === "hand") record.hands.push(newHand(Number(two), words[3] ?? ""));
  else if (!hand) throw new TypeError("no hand yet");
  else if (head === "seed" || head === "commitment") hand[head] = fromHex(two);
  else if (head === "nonce") hand.nonces[Number(two) - 1] = fromHex(words[2] ?? "");
  else if (head === "deal") hand.deal[Number(two) - 1] = cardsOf(words.slice(2));
  else if (head === "clock") hand.steps.push({ move: null, isClock: true, remarks: [] });
  else hand.steps.push({ move: moveOf(words), isClock: false, remarks: [] });
}

/** @param {number} number @param {string} level @returns {RecordedHand} */
function newHand(number, level) {
  const none = new Uint8Array();
  return { number, level, seed: none, commitment: none, nonces: [none, none, none, none], deal: [[], [], [], []], steps: [{ move: null, isClock: false, remarks: [] }] };
}

/** @param {RecordedHand} hand @param {string} text */
function remark(hand, text) {
  const step = hand.steps.at(-1);
  if (!step) return;
  if (text.startsWith("did: ")) {
    step.move = moveOf(text.slice(5).split(" "));
    return;
  }
  for (const [pattern, read] of REMARKS) {
    const found = pattern.exec(text);
    if (found) step.remarks.push(read(found));
  }
}

/** The hands that were finished, as the server sums them up. @param {MatchRecord} record @returns {HandSummary[]} */
export function summaries(record) {
  /** @type {HandSummary[]} */
  const found = [];
  for (const hand of record.hands) {
    const remarks = hand.steps.flatMap((step) => step.remarks);
    const ended = remarks.find((one) => one.t === "ended");
    if (ended?.t !== "ended") continue;
    const resisted = remarks.find((one) => one.t === "resisted");
    const gifts = remarks.find((one) => one.t === "gifts");
    const returns = remarks.find((one) => one.t === "returns");
    const before = found.at(-1)?.finish[0];
    found.push({
      number: hand.number,
      level: hand.level,
      owner: before === undefined ? null : before % 2 ? "13" : "24",
      finish: ended.finish,
      gain: ended.gain,
      levels: ended.levels,
      resisted: resisted?.t === "resisted" ? resisted.holders : [],
      gifts: gifts?.t === "gifts" ? gifts.gifts : [],
      returns: returns?.t === "returns" ? returns.gifts : [],
      match_won: remarks.some((one) => one.t === "won"),
    });
  }
  return found;
}
