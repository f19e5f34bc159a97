// Presets and options in words, and what a choice of them comes to.
import { OPTIONS, PRESETS } from "./catalogue.js";
import { hasText, t } from "./text.js";

/** @import { OptionValue } from "./types.js" */

/** A preset and what differs from it: what a table is opened with.
 * @typedef {{ preset: string, options: Record<string, OptionValue> }} Choice */

/** The two that everybody is asked about. */
export const CHIPS = ["tournament", "house"];

/** @type {Record<string, readonly OptionValue[]>} */
const options = OPTIONS;
/** @type {Record<string, Record<string, OptionValue>>} */
const presets = PRESETS;

/** As people look for them: the two of the chips first, the relaxed one last. */
const ORDER = [...CHIPS, "national-2017", "huaian", "nanjing"];
const place = (/** @type {string} */ preset) => (ORDER.indexOf(preset) + ORDER.length + 1) % (ORDER.length + 1);
export const presetNames = Object.keys(presets).sort((a, b) => place(a) - place(b));
export const optionNames = Object.keys(options);

/** The values that an option can have, the default first. @param {string} option */
export const valuesOf = (option) => options[option] ?? [];

/** Every option's value in a preset. @param {string} preset @returns {Record<string, OptionValue>} */
export function valuesIn(preset) {
  const defaults = Object.fromEntries(optionNames.map((name) => [name, valuesOf(name)[0] ?? null]));
  return { ...defaults, ...presets[preset] };
}

/** Every option's value under a choice. @param {Choice} choice */
export const valuesUnder = ({ preset, options: changes }) => ({ ...valuesIn(preset), ...changes });

/** The options in which two sets of values differ. @param {Record<string, OptionValue>} a @param {Record<string, OptionValue>} b */
export const differences = (a, b) => optionNames.filter((name) => a[name] !== b[name]);

/** A choice with one option changed; what the preset says anyway is no change.
 * @param {Choice} choice @param {string} option @param {OptionValue} value @returns {Choice} */
export function changed({ preset, options: changes }, option, value) {
  const { [option]: _, ...others } = changes;
  return { preset, options: valuesIn(preset)[option] === value ? others : { ...others, [option]: value } };
}

/** A choice that this page's presets and options know; what an older page kept may not be one.
 * @param {Partial<Choice>} kept @returns {Choice} */
export function known({ preset = "", options: changes = {} }) {
  if (!presets[preset]) return { preset: "tournament", options: {} };
  const good = Object.entries(changes).filter(([name, value]) => valuesOf(name).includes(value));
  return { preset, options: Object.fromEntries(good) };
}

/** Do two choices come to the same? @param {Choice} a @param {Choice} b */
export const isSame = (a, b) => a.preset === b.preset && !differences(valuesUnder(a), valuesUnder(b)).length;

/** @param {string} preset */
export const presetText = (preset) => (hasText(`preset.${preset}`) ? t(`preset.${preset}`) : preset);

/** A choice in words: the preset, and how much of it was changed. @param {Choice} choice */
export function choiceText({ preset, options: changes }) {
  const n = Object.keys(changes).length;
  const name = presetText(preset);
  return n === 0 ? name : t(n === 1 ? "preset.changed_1" : "preset.changed", { name, n });
}

/** @param {string} option */
export const optionText = (option) => (hasText(`opt.${option}`) ? t(`opt.${option}`) : option);

/** @param {string} option @param {OptionValue | undefined} value */
export function valueText(option, value) {
  const key = `opt.${option}.${value === null ? "none" : value}`;
  if (hasText(key)) return t(key);
  return typeof value === "boolean" ? t(value ? "opt.yes" : "opt.no") : String(value);
}
