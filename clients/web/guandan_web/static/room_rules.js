// What is played at this table, in words, and the host's way to change it.
import { html, useEffect, useRef, useState } from "./vendor/ui.js";
import { RulesEditor } from "./house_rules.js";
import { Dialog } from "./dialog.js";
import { Button } from "./kit.js";
import { TableSettings } from "./table_settings.js";
import { optionText, presetText, valueText } from "./rulesets.js";
import { toHex } from "./settings.js";
import { t } from "./text.js";

/** @import { Action, Answer, Settings } from "./types.js" */
/** @import { Choice } from "./rulesets.js" */
/** @import { Table } from "./table.js" */

/** @param {Settings} settings */
function settingsText(settings) {
  return [
    t(settings.visibility === "public" ? "lobby.public" : "lobby.private"),
    settings.clock_s === null ? t("lobby.no_clock") : t("lobby.clock", { s: settings.clock_s }),
    t("lobby.pace", { s: settings.pace_ms / 1000 }),
    t("lobby.grace", { s: settings.grace_s }),
    !settings.hints && t("lobby.no_hints"),
    !settings.counter && t("lobby.no_counter"),
    !settings.phrases && t("lobby.no_phrases"),
  ].filter(Boolean);
}

/** @param {{ now: Table, doing: (action: Action) => Promise<Answer> }} props */
export function RoomRules({ now, doing }) {
  const [isOpen, setOpen] = useState(false);
  const { preset, options, settings, host, commitment } = now.view;
  const isHost = host === now.seat && now.seat !== null;
  const hasChanged = useHasChanged(JSON.stringify([preset, options, settings]));
  return html`<section class="room-rules panel" aria-labelledby="room-rules-title">
    <h2 id="room-rules-title">${t("lobby.rules")}</h2>
    <p><b>${presetText(preset)}</b><br /><span class="soft">${t(`preset.${preset}.why`)}</span></p>
    ${Object.keys(options).length > 0 && html`<ul class="changes">${Object.entries(options).map(([name, value]) => html`<li key=${name}>${optionText(name)}: <b>${valueText(name, value)}</b></li>`)}</ul>`}
    <ul class="bits">${settingsText(settings).map((text) => html`<li key=${text}>${text}</li>`)}</ul>
    <p class="notice-line" role="status">${!isHost && hasChanged && t("lobby.rules.changed")}</p>
    <div class="row"><a href=${`/rules/${preset}`} target="_blank" rel="noopener">${t("rules.read")}</a>
      ${isHost && html`<${Button} kind="quiet" onClick=${() => setOpen(true)}>${t("lobby.rules.change")}<//>`}</div>
    ${commitment.length > 0 && html`<details class="fair"><summary>${t("lobby.fair")}</summary><p class="soft">${t("lobby.fair.why")}</p><code>${toHex(commitment)}</code></details>`}
    ${isOpen && html`<${Configure} choice=${{ preset, options }} settings=${settings} doing=${doing} onClose=${() => setOpen(false)} />`}
  </section>`;
}

/** Is it another text than it was at first? @param {string} text */
function useHasChanged(text) {
  const first = useRef(text);
  const [hasChanged, setChanged] = useState(false);
  useEffect(() => {
    if (text !== first.current) setChanged(true);
  }, [text]);
  return hasChanged;
}

/** @param {{ choice: Choice, settings: Settings, doing: (action: Action) => Promise<Answer>, onClose: () => void }} props */
function Configure({ choice: before, settings: was, doing, onClose }) {
  const [choice, setChoice] = useState(before);
  const [settings, setSettings] = useState(was);
  const save = async () => {
    await doing({ t: "configure", ...choice, settings });
    onClose();
  };
  return html`<${Dialog} title=${t("lobby.rules.change")} class="wide" onClose=${onClose}>
    <div class="dialog-scroll">
      <${RulesEditor} choice=${choice} onChange=${setChoice} />
      <h3>${t("set.table")}</h3>
      <${TableSettings} value=${settings} onChange=${setSettings} isNew=${false} />
    </div>
    <div class="dialog-foot"><${Button} kind="quiet" onClick=${onClose}>${t("cancel")}<//><${Button} kind="primary" onClick=${save}>${t("lobby.rules.save")}<//></div>
  <//>`;
}
