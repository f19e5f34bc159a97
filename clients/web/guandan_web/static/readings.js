// What the selection is, as the server reads it. One question at a time is under way; when its answer
// comes and the selection is another by then, the next one is asked and the answer is forgotten.
import { computed, effect, html, signal } from "./vendor/ui.js";
import { readingText } from "./cards.js";
import { giving } from "./choosing.js";
import { ask, isAsked, link, table, taken, takenCards } from "./table.js";
import { t } from "./text.js";

/** @import { Previewed, ReadingInfo } from "./types.js" */

/** @type {import("./vendor/ui.js").Signal<{ of: string, answer: Previewed } | null>} */
const known = signal(null);
const chosen = signal(0);
let isUnderWay = false;

/** What there is to be asked: the cards, and the table that they would be played on. */
const question = computed(() => {
  const now = table.value;
  if (!now?.private || !taken.value.size || giving.value || link.value.state !== "on" || now.view.stage !== "playing") return "";
  return `${takenCards().map((card) => card.face).join(" ")} ${now.public.turn} ${now.public.phase}`;
});

effect(() => {
  if (question.value) keepAsking();
  else known.value = null;
});

async function keepAsking() {
  if (isUnderWay) return;
  isUnderWay = true;
  for (let of = question.peek(); of && of !== known.peek()?.of; of = question.peek()) {
    const answer = await ask({ t: "preview", cards: takenCards().map((card) => card.face) });
    if (answer?.t !== "previewed") break;
    if (of !== question.peek()) continue;
    chosen.value = 0;
    known.value = { of, answer };
  }
  isUnderWay = false;
}

/** The answer about what is selected now; null while it is on its way. */
export const preview = computed(() => (known.value?.of === question.value ? (known.value?.answer ?? null) : null));

/** The readings to choose from: those that beat the table, or off turn all of them. @returns {ReadingInfo[]} */
export const choices = computed(() => {
  const all = preview.value?.readings ?? [];
  const good = all.filter((one) => one.beats);
  return isAsked.value && good.length ? good : all;
});

/** The reading that would be played. @returns {ReadingInfo | null} */
export const reading = computed(() => choices.value[chosen.value] ?? choices.value[0] ?? null);

/** Can the selection be played now? An ambiguous one can: a reading goes with it. */
export const isPlayable = computed(() => !!preview.value && isAsked.value && ["", "ambiguous"].includes(preview.value.code) && !!reading.value);

/** The next reading, or the one before. @param {number} by */
export function cycle(by) {
  const n = choices.value.length;
  if (n > 1) chosen.value = (chosen.value + by + n) % n;
  return n > 1;
}

/** One chip per reading, strongest first; nothing if there is nothing to choose. */
export function ReadingChips() {
  const all = choices.value;
  return html`<div class="reading-chips" role="radiogroup" aria-label=${t("reading.which")}>
    ${all.map((one, i) => html`<button type="button" key=${i} role="radio" aria-checked=${String(one === reading.value)} tabindex=${one === reading.value ? 0 : -1}
      class=${one === reading.value ? "chip lit" : "chip"} onClick=${() => (chosen.value = i)}>${readingText(one.reading)}</button>`)}
  </div>`;
}
