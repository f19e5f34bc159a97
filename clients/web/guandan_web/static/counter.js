// The card counter: what is still out, neither played nor in the own hand. Four tallies are always in
// sight; the drawer has all ranks. A table can forbid it.
import { computed, html } from "./vendor/ui.js";
import { isWild, rankOf, rankOrder, rankText } from "./cards.js";
import { open } from "./panel.js";
import { hand, level, mySeat, table } from "./table.js";
import { t } from "./text.js";

const RANKS = [..."23456789TJQKA"];
const SUITS = [..."SHCD"];
const FACES = [...SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank)), "X", "Y"];

/** How many of each face are out. */
const out = computed(() => {
  const left = new Map(FACES.map((face) => [face, 2]));
  const seen = [...(table.value?.public.played.flat() ?? []), ...hand.value.map((card) => card.face)];
  for (const face of seen) left.set(face, (left.get(face) ?? 0) - 1);
  return left;
});

/** @param {(face: string) => boolean} which */
const count = (which) => FACES.reduce((sum, face) => sum + (which(face) ? (out.value.get(face) ?? 0) : 0), 0);

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

export function Counter() {
  if (!isCounted.value) return html`<p class="soft">${t("counter.off")}</p>`;
  const ranks = [...RANKS].sort((a, b) => rankOrder(b, level.value) - rankOrder(a, level.value));
  const played = table.value?.public.played.flat().length ?? 0;
  return html`<div class="counter">
    <p class="soft">${t(mySeat.value === null ? "counter.how_watching" : "counter.how", { n: 108 - played - hand.value.length })}</p>
    <table>
      <thead><tr><th scope="col">${t("counter.rank")}</th><th scope="col">${t("counter.all")}</th>
        ${SUITS.map((suit) => html`<th scope="col" key=${suit}><svg class=${`suit-${suit}`} role="img" aria-label=${t(`suit.${suit}`)}><use href=${`#suit-${suit}`} /></svg></th>`)}</tr></thead>
      <tbody>
        ${["Y", "X"].map((face) => html`<tr key=${face}><th scope="row">${t(`rank.${face}`)}</th><td class="sum">${out.value.get(face)}</td><td colspan="4"></td></tr>`)}
        ${ranks.map((rank) => html`<tr key=${rank} class=${rank === level.value ? "level" : ""}><th scope="row">${rankText(rank)}</th>
          <td class="sum">${count((face) => rankOf(face) === rank)}</td>
          ${SUITS.map((suit) => html`<td key=${suit} class=${`n${out.value.get(suit + rank)}`}>${out.value.get(suit + rank) || "·"}</td>`)}</tr>`)}
      </tbody>
    </table>
  </div>`;
}
