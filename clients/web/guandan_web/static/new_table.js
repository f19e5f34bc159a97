// A table of one's own: whom it is for, how it is run, which rules it plays.
import { html, useState } from "./vendor/ui.js";
import { SETTINGS } from "./catalogue.js";
import { Dialog } from "./dialog.js";
import { Button, Chips, Icon } from "./kit.js";
import { levelFor, levelText, offered } from "./levels.js";
import { chosen, newTable } from "./opening.js";
import { choiceText } from "./rulesets.js";
import { set, settings } from "./settings.js";
import { TableSettings } from "./table_settings.js";
import { t, whyText } from "./text.js";

/** @import { Settings } from "./types.js" */

/** @param {{ onClose: () => void, onRules: () => void }} props */
export function NewTable({ onClose, onRules }) {
  const [busy, setBusy] = useState(false);
  const [why, setWhy] = useState("");
  const wanted = { ...SETTINGS, ...settings.value.table };
  const open = async () => {
    setBusy(true);
    setWhy("");
    const code = await newTable(wanted);
    setBusy(false);
    setWhy(code);
  };
  return html`<${Dialog} title=${t("set.title")} onClose=${onClose}>
    <div class="dialog-scroll">
      <div class="choice-row"><span class="choice-name">${t("set.rules")}</span>
        <${Button} kind="quiet" class="rules-line" onClick=${onRules}><span>${choiceText(chosen())}</span><${Icon} name="forward" /><//></div>
      ${offered.value.length > 1 && html`<div class="choice-row"><span class="choice-name" aria-hidden="true">${t("set.bots")}</span>
        <${Chips} label=${t("set.bots")} value=${levelFor(offered.value)} onChange=${(/** @type {string} */ bots) => set({ bots })}
          options=${[...offered.value].reverse().map((level) => ({ value: level, label: levelText(level) }))} /></div>`}
      <${TableSettings} isNew value=${wanted} onChange=${(/** @type {Settings} */ table) => set({ table })} />
    </div>
    ${why && html`<p class="problem" role="alert">${whyText(why)}</p>`}
    <div class="dialog-foot"><${Button} kind="quiet" onClick=${onClose}>${t("cancel")}<//>
      <${Button} kind="primary" disabled=${busy} onClick=${open}>${t(busy ? "set.opening" : "set.create")}<//></div>
  <//>`;
}
