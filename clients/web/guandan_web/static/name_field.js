// What the others shall call us. It holds a friendly name until somebody cares, and is remembered as
// it is typed, whether or not a seat follows.
import { html, useState } from "./vendor/ui.js";
import { cleanName, myName } from "./names.js";
import { set, settings } from "./settings.js";
import { t } from "./text.js";

export function NameField() {
  // What is being typed may end with a blank, which a name does not.
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  const onInput = (/** @type {any} */ event) => {
    setTyped(event.currentTarget.value);
    set({ name: cleanName(event.currentTarget.value) });
  };
  return html`<label class="field name-field"><span>${t("home.name")}</span>
    <input class="input" dir="auto" autocomplete="nickname" spellcheck=${false} placeholder=${myName.value} value=${typed ?? settings.value.name}
      onInput=${onInput} onBlur=${() => setTyped(null)} /></label>`;
}
