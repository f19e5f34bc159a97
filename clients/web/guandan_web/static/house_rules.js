// Every rule that tables play differently: presets, and each option on top of them.
import { html } from "./vendor/ui.js";
import { Dialog } from "./dialog.js";
import { Button, Chips } from "./kit.js";
import { follow } from "./route.js";
import { changed, optionText, presetNames, presetText, valuesIn, valuesOf, valuesUnder, valueText } from "./rulesets.js";
import { addTexts, t } from "./text.js";
import { options } from "./texts/options.js";

/** @import { Choice } from "./rulesets.js" */
/** @import { OptionValue } from "./types.js" */

addTexts(options);

/** How options are sorted for people. @type {[group: string, options: string[]][]} */
export const GROUPS = [
  ["a", ["a_win_on", "a_max_misses", "a_miss_scope", "advance_double"]],
  ["tribute", ["tribute", "tribute_pick", "double_tribute_tie", "return_rule", "return_level_card", "return_gift", "return_fallback"]],
  ["cards", ["full_house_joker_pair", "wild_run_plain", "ambiguous_play"]],
  ["table", ["first_lead", "show_counts"]],
];
/** @param {{ choice: Choice, onChange: (choice: Choice) => void, onClose: () => void, disabled?: boolean }} props */
export function HouseRules({ choice, onChange, onClose, disabled = false }) {
  return html`<${Dialog} title=${t("home.house")} class="wide" onClose=${onClose}>
    <${RulesEditor} choice=${choice} onChange=${onChange} disabled=${disabled} />
    <div class="dialog-foot"><a href=${`/rules/${choice.preset}`} onClick=${follow}>${t("rules.read")}</a>
      <${Button} kind="primary" onClick=${onClose}>${t("rules.done")}<//></div>
  <//>`;
}

/** @param {{ choice: Choice, onChange: (choice: Choice) => void, disabled?: boolean }} props */
export function RulesEditor({ choice, onChange, disabled = false }) {
  const usual = valuesIn(choice.preset);
  const now = valuesUnder(choice);
  return html`<div class="rules-editor">
    <${Chips} label=${t("set.rules")} value=${choice.preset} disabled=${disabled}
      onChange=${(/** @type {string} */ preset) => onChange({ preset, options: {} })}
      options=${presetNames.map((preset) => ({ value: preset, label: presetText(preset) }))} />
    <p class="soft">${t(`preset.${choice.preset}.why`)}</p>
    ${Object.keys(choice.options).length > 0 && !disabled &&
    html`<${Button} kind="quiet" onClick=${() => onChange({ preset: choice.preset, options: {} })}>${t("rules.reset")}<//>`}
    ${GROUPS.map(([group, names]) => html`<fieldset key=${group} class="option-group" disabled=${disabled}><legend><h3>${t(`opt.group.${group}`)}</h3></legend>
      ${names.map((name) => html`<${Option} key=${name} name=${name} value=${now[name]} usual=${usual[name]}
        onChange=${(/** @type {OptionValue} */ value) => onChange(changed(choice, name, value))} />`)}
    </fieldset>`)}
  </div>`;
}

/** One option: its name, why it matters, and its values.
 * @param {{ name: string, value: OptionValue | undefined, usual: OptionValue | undefined, onChange: (value: OptionValue) => void }} props */
function Option({ name, value, usual, onChange }) {
  const values = valuesOf(name);
  const id = `option-${name}`;
  return html`<div class=${value === usual ? "rule-option" : "rule-option changed"}>
    <label for=${id}>${optionText(name)} ${value !== usual && html`<em class="mark-tag">${t("rules.differs")}</em>`}<small class="soft">${t(`opt.${name}.why`)}</small></label>
    <select id=${id} value=${String(values.findIndex((one) => one === value))}
      onChange=${(/** @type {any} */ event) => onChange(values[Number(event.currentTarget.value)] ?? null)}>
      ${values.map((one, i) => html`<option key=${i} value=${String(i)} selected=${one === value}>${valueText(name, one)}</option>`)}
    </select>
  </div>`;
}
