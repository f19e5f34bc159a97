// Every word of the page, by key, in English and Chinese.
//
// A table of texts has both languages on one line, so that neither can be forgotten:
//     { "play.pass": ["Pass", "不出"] }
// `{name}` in a text is replaced by a parameter. Text is never put together from pieces of sentences.
import { computed, signal } from "./vendor/ui.js";
import { settings } from "./settings.js";
import { shell } from "./texts/shell.js";

/** @typedef {Record<string, [en: string, zh: string]>} Texts */

/** @type {Texts} */
const texts = { ...shell };

/** What is drawn already is drawn again when more texts come. */
const added = signal(0);

/** Add a screen's texts. @param {Texts} more */
export function addTexts(more) {
  Object.assign(texts, more);
  added.value = added.peek() + 1;
}

/** The language spoken: the one chosen, or the browser's. */
export const lang = computed(() => settings.value.lang || (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en"));

/**
 * The text of a key in the language spoken.
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 * @returns {string}
 */
export function t(key, params = {}) {
  const pair = added.value >= 0 && texts[key];
  if (!pair) return key;
  return pair[lang.value === "zh" ? 1 : 0].replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

/** Is there a text of that key? @param {string} key */
export const hasText = (key) => key in texts;

/** What went wrong, in words, from the code of a refusal. @param {string} code @param {string} [text] The server's own, in English. */
export function whyText(code, text = "") {
  return hasText(`why.${code}`) ? t(`why.${code}`) : text || code;
}
