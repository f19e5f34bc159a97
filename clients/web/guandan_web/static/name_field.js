// What the others shall call us. It holds a friendly name until somebody cares.
import { html } from "./vendor/ui.js";
import { cleanName, myName, NAME_MAX } from "./names.js";
import { set, settings } from "./settings.js";
import { t } from "./text.js";

export function NameField() {
  return html`<label class="field name-field"><span>${t("home.name")}</span>
    <input class="input" maxlength=${NAME_MAX} autocomplete="nickname" spellcheck=${false} placeholder=${myName.value} value=${settings.value.name}
      onChange=${(/** @type {any} */ event) => set({ name: cleanName(event.currentTarget.value) })} /></label>`;
}
