// What says that somebody else plays for us, over the whole width, and one tap ends it.
import { computed, effect, html } from "./vendor/ui.js";
import { autopilot, setAutopilot } from "./autopilot.js";
import { onlyPass } from "./hints.js";
import { Button, Chips, Icon } from "./kit.js";
import { pass } from "./moves.js";
import { settings } from "./settings.js";
import { isAsked, table, taken } from "./table.js";
import { t } from "./text.js";

export const PACES_MS = [300, 500, 1000, 2000, 3000, 4000, 5000];

/** Paces as chips. @param {{ value: number | undefined, onChange: (pace: number) => void, label: string }} props */
export function Paces({ value, onChange, label }) {
  return html`<${Chips} label=${label} value=${value} onChange=${onChange} options=${PACES_MS.map((pace) => ({ value: pace, label: t("pace.s", { s: pace / 1000 }) }))} />`;
}

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
