// The decision of a review that is looked at in the replay: the way there, and the way back.
import { signal } from "./vendor/ui.js";

/** @import { Seat } from "./types.js" */
/** @import { Decision } from "./review.js" */

/**
 * @typedef {object} Moment
 * @property {string} code  Of the table.
 * @property {number} match
 * @property {Seat} seat  Whose decision it was.
 * @property {Decision} decision
 */

/** @type {import("./vendor/ui.js").Signal<Moment | null>} */
export const moment = signal(null);

/** Is the reader in the replay, on the way back to the review of this table? */
let isAway = false;

/** Where the replay shows what the seat saw before it decided. @param {Moment} one */
export const pathOf = ({ code, match, decision }) => `/replay/${code}-${match}#${decision.command}`;

/** The moment that a replay shows; null if no review led there. @param {string} name  CODE-MATCH. */
export function momentIn(name) {
  const now = moment.peek();
  return now && name === `${now.code}-${now.match}` && location.hash === `#${now.decision.command}` ? now : null;
}

export const goAway = () => void (isAway = true);

/** Has the reader come back from the replay to this table and match? Says so once. @param {string} code @param {number} match */
export function isBack(code, match) {
  const now = moment.peek();
  const wasAway = isAway;
  isAway = false;
  return wasAway && now?.code === code && now.match === match;
}
