// Who sits where, in words and in shape: a team is told by its mark and by its place, not by its colour alone.
import { computed, html, signal } from "./vendor/ui.js";
import { Icon } from "./kit.js";
import { mySeat, placeOf, table, teamOf } from "./table.js";
import { lang, t } from "./text.js";

/** @import { Seat, SeatInfo, Team } from "./types.js" */

/** From which seat a watcher looks. */
export const viewFrom = signal(/** @type {Seat} */ (1));

/** The seat at the bottom of the screen. */
export const base = computed(() => mySeat.value ?? viewFrom.value);

/** @param {number} seat */
export const place = (seat) => placeOf(seat, base.value);

/** @type {Seat[]} */
export const SEATS = [1, 2, 3, 4];

/** @param {number} seat @returns {SeatInfo | undefined} */
export const infoOf = (seat) => table.value?.view.seats[seat - 1];

/** A name as part of a sentence: one written from right to left keeps its place in it. @param {string} name */
export const named = (name) => (/[\u0590-\u08ff]/.test(name) ? `\u2068${name}\u2069` : name);

/** What a seat's player is called. @param {number} seat */
export const nameOf = (seat) => named(botName(infoOf(seat))) || t("seat.n", { n: seat });

/** A player's name; the own one is "You". @param {number} seat */
export const whoText = (seat) => (seat === mySeat.value ? t("role.0") : nameOf(seat));

/** Several players in a row. @param {number[]} seats */
export const whoAll = (seats) => seats.map(whoText).join(lang.value === "zh" ? "、" : ", ");

/** Bots bear the names of the four plants that painters call noble: the server's in English, and ours in Chinese, which are those
 * of the terminal. @type {Record<string, string>} */
export const BOT_NAMES = { Bamboo: "阿竹", Orchid: "阿兰", Plum: "阿梅", Chrysanthemum: "阿菊" };

/** A bot's name in the language spoken; what is none stays as it is. @param {string} name */
export const botText = (name) => (lang.value === "zh" && Object.hasOwn(BOT_NAMES, name) && BOT_NAMES[name]) || name;

/** What the player of a seat is called. @param {SeatInfo | undefined} info */
export const botName = (info) => (info?.kind === "bot" ? botText(info.name) : (info?.name ?? ""));

/** What the seat is to us; for a watcher, its number. @param {number} seat */
export const roleText = (seat) => (mySeat.value === null ? t("seat.n", { n: seat }) : t(`role.${place(seat)}`));

/** Is it the team at the bottom of the screen? @param {Team} team */
export const isOurs = (team) => team === teamOf(base.value);

/** @param {Team} team */
export const teamText = (team) => (mySeat.value === null ? t(`team.${team}`) : t(isOurs(team) ? "team.us" : "team.them"));

/** The team as the subject of a sentence. @param {Team} team */
export const sideText = (team) => (mySeat.value === null ? t(`team.${team}`) : t(isOurs(team) ? "side.us" : "side.them"));

/** The mark of a team: a disc for the one at the bottom, a diamond for the other. @param {{ team: Team }} props */
export function TeamMark({ team }) {
  return html`<svg class=${isOurs(team) ? "mark us" : "mark them"} viewBox="0 0 20 20" aria-hidden="true">
    ${isOurs(team) ? html`<circle cx="10" cy="10" r="8" />` : html`<path d="M10 0.8 19.2 10 10 19.2 0.8 10z" />`}</svg>`;
}

/** The first letter as people count letters: a flag is one. @param {string} name */
const initialOf = (name) => ("Segmenter" in Intl ? [...new Intl.Segmenter().segment(name)][0]?.segment : [...name][0])?.toUpperCase() ?? "";

/** @param {{ seat: number }} props */
export function Avatar({ seat }) {
  const info = infoOf(seat);
  const isBot = info?.kind === "bot";
  const initial = initialOf(info?.name ?? "");
  return html`<span class=${isOurs(teamOf(seat)) ? "avatar us" : "avatar them"} aria-hidden="true">
    <svg viewBox="0 0 40 40">${isOurs(teamOf(seat)) ? html`<circle cx="20" cy="20" r="18.5" />` : html`<path d="M20 1 39 20 20 39 1 20z" />`}</svg>
    ${isBot ? html`<${Icon} name="bot" />` : html`<b>${initial}</b>`}</span>`;
}

/** Who plays for the seat, or whether its person is away; empty if all is as usual. @param {SeatInfo} info */
export function presence(info) {
  if (info.kind !== "person") return "";
  if (info.control === "autopilot") return "autopilot";
  if (info.control === "stand_in") return "stand_in";
  if (!info.online) return "away";
  return info.later ? "later" : "";
}
