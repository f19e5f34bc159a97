// How a table is run, apart from its rules.
import { html } from "./vendor/ui.js";
import { PACES } from "./catalogue.js";
import { Toggle } from "./dialog.js";
import { Chips } from "./kit.js";
import { set, settings } from "./settings.js";
import { t } from "./text.js";

/** @import { Settings } from "./types.js" */

const AUTO = "auto";
const CLOCKS_S = [15, 20, 30, 60, 120];
const GRACES_S = [15, 30, 60, 120, 300];

/** @param {number} ms */
const secondsText = (ms) => t("set.clock.s", { s: ms / 1000 });

/** The values offered, and the one that is set even if it is none of them. @param {number[]} offered @param {number | null} value */
const withValue = (offered, value) => (value === null || offered.includes(value) ? offered : [...offered, value].sort((a, b) => a - b));

/**
 * @param {{ value: Settings, onChange: (settings: Settings) => void, isNew: boolean }} props
 *   `isNew`: who finds the table is settled when it is opened.
 */
export function TableSettings({ value, onChange, isNew }) {
  const change = (/** @type {Partial<Settings>} */ some) => onChange({ ...value, ...some });
  const clocks = withValue(CLOCKS_S, value.clock_s).map((s) => ({ value: s, label: t("set.clock.s", { s }) }));
  // A private table that is opened without a word about it gets a clock once two people play.
  const hasAuto = isNew && value.visibility === "private";
  const none = [...(hasAuto ? [{ value: AUTO, label: t("set.clock.auto") }] : []), { value: null, label: t("set.clock.off") }];
  const clock = hasAuto && value.clock_s === null && !settings.value.noClock ? AUTO : value.clock_s;
  const setClock = (/** @type {number | null | typeof AUTO} */ clock_s) => {
    if (isNew) set({ noClock: clock_s === null });
    change({ clock_s: clock_s === AUTO ? null : clock_s });
  };
  return html`<div class="table-settings">
    ${isNew && html`<${Setting} name="set.visibility" value=${value.visibility} onChange=${(/** @type {Settings["visibility"]} */ visibility) => change({ visibility })}
      options=${[{ value: "private", label: t("set.private") }, { value: "public", label: t("set.public") }]} />`}
    <${Setting} name="set.clock" value=${clock} onChange=${setClock} options=${[...none, ...clocks]} />
    <${Setting} name="set.pace" value=${value.pace_ms} onChange=${(/** @type {number} */ pace_ms) => change({ pace_ms })}
      options=${PACES.map((/** @type {number} */ ms) => ({ value: ms, label: secondsText(ms) }))} />
    <${Setting} name="set.grace" value=${value.grace_s} onChange=${(/** @type {number} */ grace_s) => change({ grace_s })}
      options=${withValue(GRACES_S, value.grace_s).map((s) => ({ value: s, label: t("set.clock.s", { s }) }))} />
    <${Toggle} label=${t("set.hints")} on=${value.hints} onChange=${(/** @type {boolean} */ hints) => change({ hints })} />
    <${Toggle} label=${t("set.counter")} on=${value.counter} onChange=${(/** @type {boolean} */ counter) => change({ counter })} />
    <${Toggle} label=${t("set.phrases")} on=${value.phrases} onChange=${(/** @type {boolean} */ phrases) => change({ phrases })} />
  </div>`;
}

/** @param {{ name: string, value: any, onChange: (value: any) => void, options: { value: any, label: string }[] }} props */
function Setting({ name, value, onChange, options }) {
  return html`<div class="choice-row"><span class="choice-name" aria-hidden="true">${t(name)}</span>
    <${Chips} label=${t(name)} value=${value} onChange=${onChange} options=${options} /></div>`;
}
