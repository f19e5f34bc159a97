// The one line of words above the buttons: a refusal, a hint's reason. It goes with the next touch.
import { signal } from "./vendor/ui.js";

/** @typedef {{ text: string, tone: "bad" | "hint" }} Notice */

/** @type {import("./vendor/ui.js").Signal<Notice | null>} */
export const notice = signal(null);

/** @param {string} text @param {Notice["tone"]} [tone] */
export function note(text, tone = "bad") {
  notice.value = { text, tone };
}

/** What is said aloud: plays, turns, refusals; the last few, of which each is read out once.
 * @type {import("./vendor/ui.js").Signal<{ text: string, n: number }[]>} */
export const heard = signal([]);
const HEARD_MAX = 6;
let count = 0;

/** @param {string} text */
export function hear(text) {
  if (text) heard.value = [...heard.peek(), { text, n: ++count }].slice(-HEARD_MAX);
}
