// The card counter: all ranks, and how many of each are still out.
import { html } from "./vendor/ui.js";
import { rankOf, rankOrder, rankText } from "./cards.js";
import { hand, level, mySeat, table } from "./table.js";
import { count, isCounted, out, RANKS, SUITS } from "./tallies.js";
import { t } from "./text.js";

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
