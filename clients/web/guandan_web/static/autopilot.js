// Autopilot: somebody else plays for us. A banner over the whole width says so, and one tap ends it.
import { computed, effect, html } from "./vendor/ui.js";
import { Button, Chips, Icon } from "./kit.js";
import { onlyPass } from "./hints.js";
import { order, pass } from "./moves.js";
import { infoOf } from "./people.js";
import { settings } from "./settings.js";
import { isAsked, mySeat, table, taken } from "./table.js";
import { t } from "./text.js";

export const PACES_MS = [300, 500, 1000, 2000, 3000, 4000, 5000];

/** Paces as chips. @param {{ value: number | undefined, onChange: (pace: number) => void, label: string }} props */
export function Paces({ value, onChange, label }) {
  return html`<${Chips} label=${label} value=${value} onChange=${onChange} options=${PACES_MS.map((pace) => ({ value: pace, label: t("pace.s", { s: pace / 1000 }) }))} />`;
}

export const autopilot = computed(() => {
  const info = mySeat.value === null ? undefined : infoOf(mySeat.value);
  return info && info.kind === "person" && info.control !== "self" ? info : null;
});

/** @param {boolean} on @param {number} [pace] */
export const setAutopilot = (on, pace = 1000) => order({ t: "autopilot", on, pace_ms: pace });

export const toggleAutopilot = () => setAutopilot(!autopilot.value, autopilot.value?.pace_ms || 1000);

export function AutopilotBanner() {
  const info = autopilot.value;
  if (!info) return null;
  return html`<section class="banner autopilot" aria-label=${t("auto.title")}>
    <p><${Icon} name="auto" /><b>${t(info.control === "autopilot" ? "auto.on" : "auto.stand_in")}</b></p>
    ${info.control === "autopilot" && html`<${Paces} label=${t("auto.pace")} value=${info.pace_ms} onChange=${(/** @type {number} */ pace) => setAutopilot(true, pace)} />`}
    <${Button} kind="primary" onClick=${() => setAutopilot(false)}>${t("auto.cancel")}<//>
  </section>`;
}

/** Passing by itself, if the player wants that: only where nothing beats the table, and not at once, or
 * everybody would know what the hand holds. */
const mustPass = computed(() => {
  const now = table.value;
  return settings.value.autoPass && isAsked.value && onlyPass.value && !autopilot.value && !taken.value.size && now ? now.public.turn : -1;
});

effect(() => {
  if (mustPass.value < 0) return undefined;
  const timer = setTimeout(pass, 700 + Math.random() * 1900);
  return () => clearTimeout(timer);
});
