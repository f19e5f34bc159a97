// A look back at one's own play: the hands of a match that is over, asked for one after another.
//
//     begin();            go on where it stopped
//     stop();             ask for no more; what was found stays
//     review.value        what is known by now
//
// A table has one review worked out at a time, so nothing is asked while nobody waits for it.
import { signal } from "./vendor/ui.js";
import { ask, table } from "./table.js";

/** @import { HandSummary, Refused, Review, Reviewed } from "./types.js" */

/**
 * @typedef {object} Known
 * @property {string} code  Of the table.
 * @property {number} match
 * @property {Readonly<Record<number, string>>} levels  Of its hands, by their number.
 * @property {number} next  The hand that is asked for next.
 * @property {number} hands  How many there are.
 * @property {Review[]} found
 * @property {number[]} failed  Hands that could not be worked out.
 * @property {"" | "asking" | "busy" | "cut"} now  Cut: without a connection.
 * @property {string} why  The code of the refusal that ended it; empty for none.
 */

/** A decision, and its hand. @typedef {Reviewed & { hand: number }} Decision */

/** @type {import("./vendor/ui.js").Signal<Known | null>} */
export const review = signal(null);

/** Until a question is asked again that went down with its connection. */
const CUT_MS = 500;

let isWanted = false;
let isRunning = false;
/** Ends the pause that is on. */
let wake = () => {};

/** Is there nothing left to ask? @param {Known} known */
export const isDone = ({ next, hands, why }) => why !== "" || next > hands;

/** The levels of the last match's hands. @param {HandSummary[]} record */
function levelsOf(record) {
  /** @type {Record<number, string>} */
  const levels = {};
  for (const hand of [...record].reverse()) {
    levels[hand.number] = hand.level;
    if (hand.number === 1) break;
  }
  return levels;
}

/** Ask for the hands of the match that is over here. */
export function begin() {
  const at = table.peek();
  const known = review.peek();
  if (at?.view.stage !== "match_over") {
    if (known && !isDone(known)) set({ why: "not_now" });
    return;
  }
  isWanted = true;
  if (known?.code === at.code && known.match === at.view.match) {
    // Who could not be answered then may be by now.
    if (known.why) set({ why: "" });
  } else {
    const levels = levelsOf(at.record);
    const hands = Math.max(1, ...Object.keys(levels).map(Number));
    review.value = { code: at.code, match: at.view.match, levels, next: 1, hands, found: [], failed: [], now: "", why: "" };
  }
  if (!isRunning) run();
}

export function stop() {
  isWanted = false;
  wake();
}

/** @param {Partial<Known>} changes */
function set(changes) {
  const known = review.peek();
  if (known) review.value = { ...known, ...changes };
}

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) =>
  new Promise((done) => {
    wake = done;
    setTimeout(done, ms);
  });

async function run() {
  isRunning = true;
  for (let known = review.peek(); isWanted && known && !isDone(known); known = review.peek()) {
    if (known.now !== "busy") set({ now: "asking" });
    const answer = await ask({ t: "ask_review", hand: known.next });
    // Another match's may be wanted by now.
    if (known.match === review.peek()?.match && known.code === review.peek()?.code) await take(answer, known.next);
  }
  set({ now: "" });
  isRunning = false;
}

/** @param {Review | Refused | null} answer @param {number} hand */
async function take(answer, hand) {
  const known = review.peek();
  if (!known) return;
  if (!answer) {
    set({ now: "cut" });
    await pause(CUT_MS);
  } else if (answer.t === "review") {
    set({ now: "asking", found: [...known.found, answer], hands: answer.hands, next: hand + 1 });
  } else if (answer.retry_ms !== null) {
    set({ now: "busy" });
    await pause(answer.retry_ms);
  } else if (answer.code === "internal") {
    set({ now: "asking", failed: [...known.failed, hand], next: hand + 1 });
  } else {
    set({ why: answer.code });
  }
}

/** Every decision that was gone through. @param {Known} known @returns {Decision[]} */
export const decisions = ({ found }) => found.flatMap(({ hand, decisions }) => decisions.map((one) => ({ ...one, hand })));

/** The same play, whatever the suits. @param {Pick<Reviewed, "played" | "best">} one */
const isAlike = ({ played, best }) => String(played.reading ?? "") === String(best.reading ?? "");
/** @param {Pick<Reviewed, "played" | "best">} one */
const isSame = ({ played, best }) => isAlike({ played, best }) && [...played.cards].sort().join() === [...best.cards].sort().join();

/** Was it as the strongest bot plays? Other suits of the same play are, if they make no difference. @param {Reviewed} one */
export const isAgreed = (one) => isSame(one) || (isAlike(one) && !one.sure);

/** @param {Reviewed} one */
const isWorse = (one) => one.sure && one.lost_milli > 0;

/** Those that surely cost something, the worst first. @param {Known} known */
export const worst = (known) =>
  decisions(known)
    .filter(isWorse)
    .sort((a, b) => b.lost_milli - a.lost_milli || a.hand - b.hand || a.command - b.command);

/** What else the bot would have played otherwise, and what would have gained most first. @param {Known} known */
export const others = (known) => {
  const gain = (/** @type {Decision} */ one) => one.lost_milli - one.won_milli;
  return decisions(known)
    .filter((one) => !isAgreed(one) && !isWorse(one))
    .sort((a, b) => gain(b) - gain(a) || a.command - b.command);
};
