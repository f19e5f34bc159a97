// What the others call us: asked at most once, and never needed to begin.
import { computed } from "./vendor/ui.js";
import { LIMITS } from "./catalogue.js";
import { set, settings } from "./settings.js";
import { lang } from "./text.js";

/** The server takes so many characters. */
export const NAME_MAX = LIMITS.NAME_CHARS;

/** Somebody who has not said a name is one of these. @type {[en: string, zh: string][]} */
const GUESTS = [
  ["Panda", "熊猫"],
  ["Crane", "仙鹤"],
  ["Magpie", "喜鹊"],
  ["Otter", "水獭"],
  ["Carp", "锦鲤"],
  ["Swallow", "燕子"],
  ["Tiger", "老虎"],
  ["Fox", "狐狸"],
];
const chance = Math.floor(Math.random() * 800);

/** A text as a name that the server takes; empty if nothing of it remains. @param {string} text */
export function cleanName(text) {
  const printable = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").replace(/\s+/gu, " ").trim();
  let name = "";
  for (const part of letters(printable)) {
    if (Array.from(name + part).length > NAME_MAX) break;
    name += part;
  }
  return name.trim();
}

/** Letters as people count them: a flag, or a hand with its colour, is one and is not cut in two. @param {string} text */
const letters = (text) => ("Segmenter" in Intl ? Array.from(new Intl.Segmenter().segment(text), (one) => one.segment) : Array.from(text));

/** The name that others see: the one given, or a friendly one. */
export const myName = computed(() => {
  const pair = GUESTS[chance % GUESTS.length] ?? ["Guest", "客人"];
  const guest = `${pair[lang.value === "zh" ? 1 : 0]} ${(chance % 89) + 10}`;
  return cleanName(settings.value.name) || guest;
});

/** The name to go to a table with, kept from now on. */
export function settledName() {
  const name = myName.value;
  if (name !== settings.value.name) set({ name });
  return name;
}
