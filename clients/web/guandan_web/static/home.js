// The start page: one tap to a game, and everything else one tap further.
import { html, useLayoutEffect, useState } from "./vendor/ui.js";
import { Card } from "./card.js";
import { Continue } from "./continue.js";
import { Button, Chips, Icon, LangButton } from "./kit.js";
import { Later } from "./later.js";
import { NameField } from "./name_field.js";
import { chosen, codeIn, joinByCode, playNow, quickPlay } from "./opening.js";
import { PublicTables } from "./public_tables.js";
import { follow } from "./route.js";
import { RuleCard } from "./rule_card.js";
import { choiceText, CHIPS, isSame, presetText } from "./rulesets.js";
import { set, settings } from "./settings.js";
import { sheetReady } from "./sheet.js";
import { leaveQuietly, link } from "./table.js";
import { addTexts, t, whyText } from "./text.js";
import { home } from "./texts/home.js";
import { presets } from "./texts/presets.js";
import { refusals } from "./texts/refusals.js";

/** @import { Choice } from "./rulesets.js" */

addTexts({ ...presets, ...refusals, ...home });
await sheetReady("style/home.css");

/** The cards above the fold: the highest straight flush. */
const FAN = ["HT", "HJ", "HQ", "HK", "HA"];

export function Home() {
  /** What is being waited for, if anything, and what went wrong with it. */
  const [busy, setBusy] = useState("");
  const [why, setWhy] = useState({ what: "", code: "" });
  const [dialog, setDialog] = useState("");
  // Before anything can be pressed: what is begun here must not be left again.
  useLayoutEffect(() => {
    document.title = t("app.title");
    // Who comes here by the browser's back button leaves the table; the seat stays theirs.
    leaveQuietly();
  }, []);

  /** @param {string} what @param {() => Promise<string>} doing */
  const run = async (what, doing) => {
    if (busy) return;
    setBusy(what);
    setWhy({ what: "", code: "" });
    const code = await doing();
    setBusy("");
    setWhy({ what, code });
  };
  /** @param {string} what */
  const problem = (what) => why.what === what && why.code && html`<p class="problem" role="alert">${whyText(why.code)}</p>`;

  return html`<div class="home">
    <header class="home-head">
      <h1><span lang="zh">掼蛋</span> <span lang="en">Guandan</span></h1>
      <${LangButton} />
    </header>
    <main class="home-main">
      <section class="hero">
        <div class="hero-words"><p class="goal">${t("home.goal")}</p><p class="soft">${t("home.sub")}</p></div>
        <div class="hero-fan" aria-hidden="true">${FAN.map((face) => html`<${Card} key=${face} face=${face} />`)}</div>
      </section>
      <div class="home-side"><${Continue} />
      <section class="panel start" aria-label=${t("home.play")}>
        <${Which} onMore=${() => setDialog("rules")} />
        <${Button} kind="primary" class="play-now" disabled=${busy !== ""} onClick=${() => run("play", playNow)}>
          <${Icon} name="play" />${busy === "play" ? t("home.dealing") : t("home.play")}<//>
        ${problem("play")}
        <div class="ways">
          <${Button} onClick=${() => setDialog("table")} disabled=${busy !== ""}>
            <span class="two-lines"><b>${t("home.new")}</b><small>${t("home.new.sub")}</small></span><//>
          <${Button} onClick=${() => run("quick", quickPlay)} disabled=${busy !== ""}>
            <span class="two-lines"><b>${busy === "quick" ? t("home.looking") : t("home.quick")}</b><small>${t("home.quick.sub")}</small></span><//>
        </div>
        ${problem("quick")}
        <${Waiting} busy=${busy} onCancel=${() => { leaveQuietly(); setBusy(""); }} />
        <${JoinByCode} busy=${busy !== ""} onJoin=${(/** @type {string} */ code) => run("join", () => joinByCode(code))} />
        ${problem("join")}
        <${NameField} />
      </section></div>
      <div class="home-side">
      <${PublicTables} busy=${busy !== ""} onJoin=${(/** @type {string} */ code) => run("public", () => joinByCode(code))} problem=${problem("public")} />
      <${RuleCard} /></div>
    </main>
    <footer class="home-foot">
      <a href="/rules" onClick=${follow}>${t("home.rules")}</a>
      <a href="/replay" onClick=${follow}>${t("home.replay")}</a>
    </footer>
    ${dialog === "table" && html`<${Later} load=${newTable} onClose=${() => setDialog("")} onRules=${() => setDialog("table-rules")} />`}
    ${dialog.endsWith("rules") && html`<${Later} load=${houseRules} choice=${chosen()} onChange=${choose} onClose=${() => setDialog(dialog === "rules" ? "" : "table")} />`}
  </div>`;
}

/** The chip of rules that are neither of the two. */
const OTHER = "other";

// Dialogs come when they are asked for, or are about to be.
const newTable = () => import("./new_table.js").then((module) => module.NewTable);
const houseRules = () => import("./house_rules.js").then((module) => module.HouseRules);
for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, () => void Promise.allSettled([newTable(), houseRules()]), { once: true });

/** @param {Choice} choice */
const choose = ({ preset, options: changes }) => set({ preset, options: changes });

/** Two chips for the one question that everybody has an opinion on; the rest is behind "house rules".
 * @param {{ onMore: () => void }} props */
function Which({ onMore }) {
  const now = chosen();
  const lit = CHIPS.find((preset) => isSame(now, { preset, options: {} }));
  return html`<div class="which">
    <h2 class="soft">${t("home.which")}</h2>
    <${Chips} label=${t("home.which")} value=${lit ?? OTHER} onChange=${(/** @type {string} */ preset) => (preset === OTHER ? onMore() : choose({ preset, options: {} }))}
      options=${[
        ...CHIPS.map((preset) => ({ value: preset, label: presetText(preset), title: t(`preset.${preset}.why`) })),
        ...(lit ? [] : [{ value: OTHER, label: choiceText(now) }]),
      ]} />
    <p class="which-why soft">${t(`preset.${now.preset}.why`)} <button type="button" class="textual" onClick=${onMore}>${t("home.house")}</button></p>
  </div>`;
}

/** @param {{ busy: boolean, onJoin: (code: string) => void }} props */
function JoinByCode({ busy, onJoin }) {
  const [text, setText] = useState("");
  const code = codeIn(text);
  return html`<form class="join-row" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); if (code && !busy) onJoin(code); }}>
    <label class="offscreen" for="code">${t("home.code")}</label>
    <input id="code" class="input code-input" placeholder=${t("home.code")} value=${text} autocomplete="off" autocapitalize="characters"
      spellcheck=${false} enterkeyhint="go" onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)} />
    <button type="submit" class="button plain" disabled=${!code || busy}>${t("home.join")}</button>
  </form>`;
}

/** The connection, where it keeps one waiting. @param {{ busy: string, onCancel: () => void }} props */
function Waiting({ busy, onCancel }) {
  if (!busy || link.value.state !== "connecting" || !link.value.retryAt) return null;
  return html`<p class="problem" role="status">${t("home.public.off")} <button type="button" class="textual" onClick=${onCancel}>${t("cancel")}</button></p>`;
}
