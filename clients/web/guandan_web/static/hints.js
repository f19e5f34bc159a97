// What the server would do: asked for once in each turn of ours. `h` goes through the list from the
// cheapest to the strongest, `g` selects what is recommended, and neither plays anything.
import { computed, effect, signal } from "./vendor/ui.js";
import { cardText, readingText } from "./cards.js";
import { giving, heldAs, select } from "./choosing.js";
import { hear, note } from "./notice.js";
import { ask, isAsked, level, link, table, taken } from "./table.js";
import { hasText, t, whyText } from "./text.js";
import { settings } from "./settings.js";

/** @import { Hint, Hints } from "./types.js" */

/** @type {import("./vendor/ui.js").Signal<Hints | null>} */
const known = signal(null);
let at = -1;
/** Had the server no time for hints in this turn? */
let isBusy = false;

const turn = computed(() => (isAsked.value && table.value && link.value.state === "on" && table.value.view.settings.hints ? table.value.public.turn : -1));

/** The hints of this turn; null while there are none. */
export const hints = computed(() => (known.value?.turn === turn.value ? known.value : null));

/** Is passing recommended, and has somebody asked? */
export const passAdvised = signal(false);

effect(() => {
  if (turn.value < 0) return;
  at = -1;
  isBusy = false;
  passAdvised.value = false;
  askForHints();
});

async function askForHints() {
  const wanted = turn.peek();
  const answer = await ask({ t: "ask_hints" });
  if (wanted !== turn.peek()) return;
  isBusy = answer?.t !== "hints";
  if (!isBusy) {
    known.value = answer;
    preselect();
  } else if (answer?.retry_ms) {
    setTimeout(() => wanted === turn.peek() && !hints.peek() && askForHints(), answer.retry_ms);
  }
}

/** In tribute the suggested card is raised already. */
function preselect() {
  const { best, hints: all } = known.peek() ?? { best: -1, hints: [] };
  const card = all[best]?.cards[0];
  if (giving.peek() && !taken.peek().size && card) select(heldAs([card]).map((one) => one.id));
}

/** Can nothing be played but a pass? */
export const onlyPass = computed(() => !!hints.value && table.value?.public.phase === "following" && hints.value.hints.every((one) => !one.cards.length));

/** Faces of the hand that are worth a look now; null: all of them. @type {import("./vendor/ui.js").ReadonlySignal<Set<string> | null>} */
export const worth = computed(() => {
  if (giving.value) return giving.value.legal;
  return settings.value.dim && hints.value ? new Set(hints.value.helpful) : null;
});

/** @param {Hint} hint */
function named(hint) {
  if (hint.reading) return readingText(hint.reading);
  return hint.cards[0] ? cardText(hint.cards[0], level.value) : t("play.pass");
}

/** @param {string} reason */
export const reasonText = (reason) => (hasText(`reason.${reason}`) ? t(`reason.${reason}`) : "");

/** Why there is no hint now, in words; false if there is one. */
function refused() {
  if (!table.value?.view.settings.hints) note(whyText("hints_off"));
  else if (!isAsked.value) note(whyText("not_your_turn"));
  else if (hints.value) return false;
  else if (isBusy) note(whyText("busy"));
  return true;
}

/** @param {Hint} hint @param {string} key @param {Record<string, string | number>} params */
function show(hint, key, params) {
  select(heldAs(hint.cards).map((card) => card.id));
  passAdvised.value = !hint.cards.length;
  const text = t(key, { ...params, what: named(hint), why: reasonText(hint.reason) });
  note(text, "hint");
  hear(text);
}

/** The next hint, or the one before. @param {number} by */
export function nextHint(by = 1) {
  if (refused() || !hints.value) return;
  const all = hints.value.hints.filter((one) => one.cards.length);
  if (!all.length) return suggest();
  at = at < 0 && by < 0 ? all.length - 1 : (at + by + all.length) % all.length;
  const hint = all[at];
  if (hint) show(hint, "hint.line", { i: at + 1, n: all.length });
}

/** The recommended move, with its reason. */
export function suggest() {
  if (refused() || !hints.value) return;
  const best = hints.value.hints[hints.value.best];
  if (best) show(best, "hint.best", {});
}
