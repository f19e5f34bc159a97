// The four tallies that are always in sight, and what they are counted from: what is still out, neither
// played nor in the own hand. A table can forbid it.
import { computed, html } from "./vendor/ui.js";
import { isWild, rankOf, rankText } from "./cards.js";
import { open } from "./panel.js";
import { hand, level, table } from "./table.js";
import { t } from "./text.js";

export const RANKS = [..."23456789TJQKA"];
export const SUITS = [..."SHCD"];
const FACES = [...SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank)), "X", "Y"];

/** How many of each face are out. */
export const out = computed(() => {
  const left = new Map(FACES.map((face) => [face, 2]));
  const seen = [...(table.value?.public.played.flat() ?? []), ...hand.value.map((card) => card.face)];
  for (const face of seen) left.set(face, (left.get(face) ?? 0) - 1);
  return left;
});

/** @param {(face: string) => boolean} which */
export const count = (which) => FACES.reduce((sum, face) => sum + (which(face) ? (out.value.get(face) ?? 0) : 0), 0);

/** May what was played be added up here, and is there anything to add up? */
export const isCounted = computed(() => !!table.value?.view.settings.counter && !!table.value.public.hand && !table.value.public.outcome);

const tallies = computed(() => [
  { key: "Y", mark: "joker", n: count((face) => face === "Y") },
  { key: "X", mark: "joker", n: count((face) => face === "X") },
  { key: "wild", mark: "", n: count((face) => isWild(face, level.value)) },
  { key: "level", mark: "", n: count((face) => rankOf(face) === level.value && !isWild(face, level.value)) },
]);

export function Tallies() {
  if (!isCounted.value) return null;
  const words = tallies.value.map(({ key, n }) => t(`tally.${key}`, { n })).join(", ");
  return html`<button type="button" class="tallies" title=${words} aria-label=${t("tally.all", { words })} onClick=${() => open("counter")}>
    ${tallies.value.map(({ key, mark, n }) => html`<span key=${key} class=${`tally tally-${key} ${n ? "" : "gone"}`} aria-hidden="true">
      ${mark ? html`<svg><use href="#joker" /></svg>` : html`<i>${key === "wild" ? t("card.wild_tag") : rankText(level.value)}</i>`}<b>${n}</b></span>`)}
  </button>`;
}
