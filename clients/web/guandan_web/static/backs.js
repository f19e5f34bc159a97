// How many cards a seat holds, as its onlookers see them: a small fan of backs, and the number.
import { html } from "./vendor/ui.js";
import { t } from "./text.js";

/** So many cards are one back of the fan. */
const EACH = 5;

/** @param {{ n: number }} props */
export function Backs({ n }) {
  const backs = Math.ceil(n / EACH);
  return html`<span class="backs" role="img" aria-label=${t("count.cards", { n })}>
    ${Array.from({ length: backs }, (_, i) => html`<i key=${i} style=${{ "--turn": `${(i - (backs - 1) / 2) * 5}deg` }}></i>`)}<b aria-hidden="true">${n}</b></span>`;
}
