// A moment of a match in words.
import { cardText, rankText, readingText } from "./cards.js";
import { botText, named } from "./people.js";
import { t } from "./text.js";
import { teamText } from "./teams.js";

/** @import { PerTeam, Seat, Team } from "./types.js" */
/** @import { Frame } from "./frames.js" */
/** @import { MatchRecord, Move, Remark } from "./record.js" */

const LEVELS = "23456789TJQKA";
/** @type {Team[]} */
const TEAMS = ["13", "24"];

/** A record does not say who was a bot: whoever is called like one is taken for it.
 * @param {MatchRecord} record @returns {(seat: number) => string} */
export const namer = (record) => (seat) => named(botText(record.names[seat - 1] ?? "")) || t("replay.seat", { n: seat });

/** @param {Move} move @param {(seat: number) => string} name */
function moveText(move, name) {
  if (move.t === "pass") return t("say.pass", { name: name(move.seat) });
  if (move.t === "play") return t("say.play", { name: name(move.seat), reading: readingText(move.reading) });
  return t(`say.${move.t}`, { name: name(move.seat), card: cardText(move.card) });
}

/** @param {Remark} remark @param {(seat: number) => string} name @param {PerTeam<string>} before  Levels before the hand. */
function remarkTexts(remark, name, before) {
  switch (remark.t) {
    case "opens":
      return [t("say.opens", { card: cardText(remark.card), name: name(remark.seat) })];
    case "resisted":
      return [t("say.resisted", { names: remark.holders.map(name).join(", ") })];
    case "gifts":
    case "returns":
      return remark.gifts.map((gift) =>
        t(remark.t === "gifts" ? "say.gift" : "say.back", { from: name(gift.donor), to: name(gift.recipient), card: cardText(gift.card) }));
    case "trick":
      return [t(remark.winner === remark.leader ? "say.trick" : "say.wind", { name: name(remark.winner), leader: name(remark.leader) })];
    case "won":
      return [t("say.won", { team: teamText(remark.team) })];
    case "ended": {
      const { finish, team, gain, levels } = remark;
      const partner = finish.findIndex((seat, i) => i > 0 && seat % 2 === (finish[0] ?? 0) % 2) + 1;
      const math = { a: t("place.1"), b: t(`place.${partner}`), team: teamText(team), n: gain, from: rankText(before[team]), to: rankText(levels[team]) };
      const fallen = TEAMS.filter((one) => LEVELS.indexOf(levels[one]) < LEVELS.indexOf(before[one]));
      const risen = fallen.includes(team) ? [] : [t(before[team] === levels[team] ? "say.math.cap" : "say.math", math)];
      return [t("say.ended"), ...risen, ...fallen.map((one) => t("say.fall", { team: teamText(one), to: rankText(levels[one]) }))];
    }
  }
}

/** What happened at a moment, sentence by sentence.
 * @param {MatchRecord} record @param {Frame} frame @param {Frame | undefined} last @param {PerTeam<string>} before @returns {string[]} */
export function frameTexts(record, frame, last, before) {
  const name = namer(record);
  const { move, isClock, remarks } = frame.step;
  const hand = record.hands[frame.hand];
  const said = [];
  if (!move) said.push(t("say.dealt", { n: hand?.number ?? 0, level: rankText(hand?.level ?? "2") }));
  else {
    if (isClock) said.push(t("say.clock", { name: name(move.seat) }));
    // Where the choice is the gift, the gift says all.
    const isGiven = remarks.some((one) => one.t === "gifts" || one.t === "returns");
    if (move.t === "play" || move.t === "pass" || !isGiven) said.push(moveText(move, name));
    const isOut = move.t === "play" && frame.hands[move.seat - 1]?.length === 0;
    if (isOut && last) said.push(t("say.out", { name: name(move.seat), place: t(`place.${last.out.length + 1}`) }));
  }
  // What a won match is worth in levels is of no more interest.
  const isWon = remarks.some((one) => one.t === "won");
  return [...said, ...remarks.filter((one) => !isWon || one.t !== "ended").flatMap((remark) => remarkTexts(remark, name, before))];
}

/** The levels as a hand began. @param {MatchRecord} record @param {number} hand Its index. @returns {PerTeam<string>} */
export function levelsBefore(record, hand) {
  for (let i = hand - 1; i >= 0; i--) {
    for (const step of record.hands[i]?.steps ?? []) {
      const ended = step.remarks.find((one) => one.t === "ended");
      if (ended?.t === "ended") return ended.levels;
    }
  }
  return { "13": "2", "24": "2" };
}

/** A move for the list of them: short. @param {MatchRecord} record @param {Frame} frame */
export function shortText(record, frame) {
  const { move } = frame.step;
  if (!move) return t("replay.before");
  return moveText(move, namer(record));
}

/** @param {Seat} seat @param {Frame} frame */
export const placeIn = (seat, frame) => frame.out.indexOf(seat) + 1;
