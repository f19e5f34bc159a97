// Texts with cards in them: **so** is strong, {S9 H9} is drawn.
import { html } from "./vendor/ui.js";
import { Card } from "./card.js";

/** Cards in a row. @param {{ cards: string, level?: string }} props */
export function Cards({ cards, level = "" }) {
  return html`<span class="drawn">${cards.split(" ").map((face, i) => html`<${Card} key=${i} face=${face} level=${level} />`)}</span>`;
}

/** @param {{ text: string, level?: string }} props */
export function Rich({ text, level = "" }) {
  return text.split(/(\*\*.+?\*\*|\{[^}]+\})/).map((part) => {
    // A strong part may hold cards.
    if (part.startsWith("**")) return html`<b><${Rich} text=${part.slice(2, -2)} level=${level} /></b>`;
    if (part.startsWith("{")) return html`<${Cards} cards=${part.slice(1, -1)} level=${level} />`;
    return part;
  });
}
