// How teams are called: by who looks at them.
import { t } from "./text.js";

/** @import { Seat, Team } from "./types.js" */

/** Us and them, or the seats where nobody is us. @param {Team} team @param {Seat | null} [mySeat] */
export function teamText(team, mySeat = null) {
  if (mySeat === null) return t(`record.team.${team}`);
  return t((mySeat % 2 ? "13" : "24") === team ? "team.us" : "team.them");
}
