// How the table looks, sounds and helps: kept in this browser.
import { html } from "./vendor/ui.js";
import { Toggle } from "./dialog.js";
import { Chips, LangButton } from "./kit.js";
import { set, settings } from "./settings.js";
import { play as sound } from "./sound.js";
import { t } from "./text.js";

/** @param {{ name: "dim" | "fourColour" | "sound" | "voice" | "vibrate" | "autoPass", how?: boolean, onOn?: () => void }} props */
function Switch({ name, how = false, onOn }) {
  return html`<${Toggle} on=${settings.value[name]} onChange=${(/** @type {boolean} */ on) => (set({ [name]: on }), on && onOn?.())}
    label=${html`${t(`prefs.${name}`)}${how && html`<small class="soft"> ${t(`prefs.${name}.how`)}</small>`}`} />`;
}

/** @param {{ name: "layout" | "motion", values: string[] }} props */
function Choice({ name, values }) {
  return html`<div class="setting"><span>${t(`prefs.${name}`)}</span>
    <${Chips} label=${t(`prefs.${name}`)} value=${settings.value[name]} onChange=${(/** @type {any} */ value) => set({ [name]: value })}
      options=${values.map((value) => ({ value, label: t(`prefs.${name}.${value}`) }))} /></div>`;
}

export function Preferences() {
  return html`<div class="preferences">
    <${Choice} name="layout" values=${["columns", "fan"]} />
    <${Choice} name="motion" values=${["full", "quick", "off"]} />
    <${Switch} name="fourColour" /><${Switch} name="dim" /><${Switch} name="autoPass" how />
    <${Switch} name="sound" onOn=${() => sound("turn")} /><${Switch} name="voice" how />
    ${"vibrate" in navigator && html`<${Switch} name="vibrate" />`}
    <div class="setting"><span>${t("prefs.lang")}</span><${LangButton} /></div>
  </div>`;
}
