// The game in five lines, each with the cards that it speaks of.
import { html } from "./vendor/ui.js";
import { Card } from "./card.js";
import { t } from "./text.js";

/** Drawn at level 7. @type {string[][]} */
const CARDS = [[], ["S9", "H9"], ["SK", "HK", "CK", "DK"], ["H7", "Y"], []];

export function RuleCard() {
  return html`<section class="rule-card" aria-labelledby="rule-card-title">
    <h2 id="rule-card-title">${t("card.title")}</h2>
    <ol>${CARDS.map((cards, i) => html`<li key=${i}>
      <span>${t(`card.${i + 1}`)}</span>
      ${cards.length > 0 && html`<span class="mini-cards">${cards.map((face) => html`<${Card} key=${face} face=${face} level="7" />`)}</span>`}
    </li>`)}</ol>
  </section>`;
}
