// Set phrases: chosen from a list, shown as a bubble at the seat, and muted seat by seat.
import { html, signal } from "./vendor/ui.js";
import { PHRASES } from "./catalogue.js";
import { Toggle } from "./dialog.js";
import { complain } from "./moves.js";
import { SEATS, infoOf, whoText } from "./people.js";
import { set, settings } from "./settings.js";
import { ask, mySeat, onSaid, table } from "./table.js";
import { hasText, t } from "./text.js";

const SHOWN_MS = 4500;

/** What was said last at each seat. @type {import("./vendor/ui.js").Signal<Record<number, { phrase: string, n: number } | null>>} */
const said = signal({});
let count = 0;

/** @param {string} phrase */
export const phraseText = (phrase) => (hasText(`phrase.${phrase}`) ? t(`phrase.${phrase}`) : "…");

/** A muted player is muted as long as it is the same one. @param {number} seat */
const muteKey = (seat) => `${table.value?.code}.${seat}.${infoOf(seat)?.name}`;
/** @param {number} seat */
export const isMuted = (seat) => settings.value.muted.includes(muteKey(seat));

onSaid(({ seat, phrase }) => {
  if (isMuted(seat)) return;
  const n = ++count;
  said.value = { ...said.value, [seat]: { phrase, n } };
  setTimeout(() => said.value[seat]?.n === n && (said.value = { ...said.value, [seat]: null }), SHOWN_MS);
});

/** @param {{ seat: number }} props */
export function Bubble({ seat }) {
  const one = said.value[seat];
  return one ? html`<span class="bubble" key=${one.n}>${phraseText(one.phrase)}</span>` : null;
}

/** @param {string} phrase */
export async function say(phrase) {
  const answer = await ask({ t: "say", phrase });
  if (answer?.t === "refused") complain(answer.code === "forbidden" ? "phrases_off" : answer.code);
}

/** The list to choose from, and whom not to hear. @param {{ onSaid?: () => void }} props */
export function Phrases({ onSaid: done }) {
  const others = SEATS.filter((seat) => seat !== mySeat.value && infoOf(seat)?.kind === "person");
  if (!table.value?.view.settings.phrases) return html`<p class="soft">${t("why.phrases_off")}</p>`;
  return html`<div class="phrases">
    ${mySeat.value !== null && html`<div class="phrase-list">${PHRASES.map((phrase) => html`<button type="button" key=${phrase} class="chip" data-phrase=${phrase}
      onClick=${() => (say(phrase), done?.())}>${phraseText(phrase)}</button>`)}</div>`}
    ${others.map((seat) => html`<${Toggle} key=${seat} label=${t("phrase.mute", { who: whoText(seat) })} on=${isMuted(seat)}
      onChange=${(/** @type {boolean} */ on) => set({ muted: on ? [...settings.value.muted, muteKey(seat)].slice(-50) : settings.value.muted.filter((/** @type {string} */ one) => one !== muteKey(seat)) })} />`)}
  </div>`;
}
