// The keyboard, the same as in the terminal. Letters and digits are read only where no text is typed
// and nothing lies over the table.
import { useEffect } from "./vendor/ui.js";
import { toggleAutopilot } from "./autopilot.js";
import { clear, ofRank, opened, takeOne } from "./choosing.js";
import { nextHint, suggest } from "./hints.js";
import { pass, play } from "./moves.js";
import { note, notice } from "./notice.js";
import { close, open, panel } from "./panel.js";
import { choices, cycle } from "./readings.js";
import { cycleSort } from "./sort_button.js";
import { isHandOver, mySeat, taken } from "./table.js";
import { t } from "./text.js";
import { lookBack, looksBack } from "./trick.js";

/** @type {Record<string, string>} */
const RANKS = { 0: "T", t: "T", j: "J", q: "Q", k: "K", a: "A", x: "X", y: "Y", z: "Y", w: "W" };
for (const rank of "23456789") RANKS[rank] = rank;

/** @param {string} rank */
function takeRank(rank) {
  const cards = ofRank(rank);
  if (cards.length) takeOne(cards);
  else note(t("why.cards_not_held"));
}

/** @type {Record<string, (event: KeyboardEvent) => void>} */
const SEATED = {
  p: pass,
  h: (event) => nextHint(event.shiftKey ? -1 : 1),
  g: suggest,
  s: cycleSort,
  o: () => toggleAutopilot(),
};

/** @type {Record<string, () => void>} */
const ANYBODY = {
  c: () => open("counter"),
  l: lookBack,
  "?": () => open("keys"),
  "/": () => open("phrases"),
};

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("input, select, textarea, [contenteditable]") || document.querySelector("dialog[open]")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isSeated = mySeat.value !== null;
  const rank = RANKS[key];
  if (isSeated && rank && !event.repeat) takeRank(rank);
  else if (isSeated && key === "Enter" && isHandOver.value && isFree(target)) event.repeat || nextHand()?.click();
  else if (isSeated && key === "Enter" && isFree(target)) event.repeat || play();
  else if (isSeated && key === "Tab" && choices.value.length > 1 && taken.value.size && isFree(target)) cycle(event.shiftKey ? -1 : 1);
  else if (key === "Escape") letGo();
  else if (isSeated && SEATED[key]) event.repeat || SEATED[key]?.(event);
  else if (ANYBODY[key]) ANYBODY[key]?.();
  else return;
  event.preventDefault();
}

/** The button for the next hand, once it can be seen. */
function nextHand() {
  const button = /** @type {HTMLElement | null} */ (document.querySelector(".summary .next"));
  return button && getComputedStyle(button).visibility === "visible" ? button : null;
}

/** Is the focus nowhere that has a use of its own for Enter and Tab? @param {HTMLElement} target */
const isFree = (target) => target === document.body || !!target.closest("[data-column], .reading-chips") || !target.closest("button, a, [tabindex]");

function letGo() {
  if (panel.value) close();
  opened.value = "";
  looksBack.value = false;
  notice.value = null;
  clear();
}

/** Listen to the keyboard for as long as a table is shown. */
export function useKeys() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
