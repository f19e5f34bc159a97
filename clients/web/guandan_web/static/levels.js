// How strong bots can be: what the server offers, and which of it is taken unless somebody says otherwise.
import { signal } from "./vendor/ui.js";
import { settings } from "./settings.js";
import { hasText, t } from "./text.js";

/** What the server offers, weakest first, where that was heard of without a table. @type {import("./vendor/ui.js").Signal<string[]>} */
export const offered = signal([]);

/** The level for a new bot: the one that was chosen on this page, or a fair opponent that does not think long.
 * @param {string[]} levels  What the server offers, weakest first. */
export function levelFor(levels) {
  const wanted = settings.peek().bots;
  return levels.includes(wanted) ? wanted : usual(levels);
}

/** @param {string[]} levels */
export const usual = (levels) => (levels.includes("club") ? "club" : (levels.filter((level) => level !== "expert").at(-1) ?? levels.at(-1) ?? "basic"));

/** A bot's strength in a word. @param {string} level */
export const levelText = (level) => (hasText(`level.${level}`) ? t(`level.${level}`) : level);
