// How the game is played: in general, and at a table of certain rules.
import { html, useEffect, useState } from "./vendor/ui.js";
import { Icon, LangButton } from "./kit.js";
import { follow } from "./route.js";
import { BASIC, BlockView } from "./rules_blocks.js";
import { known, differences, optionText, presetNames, presetText, valuesIn, valueText } from "./rulesets.js";
import { addSheet } from "./sheet.js";
import { addTexts, lang, t } from "./text.js";
import { home } from "./texts/home.js";
import { options } from "./texts/options.js";
import { presets } from "./texts/presets.js";
import { rulesPage } from "./texts/rules.js";

/** @import { RulesText } from "./rules_types.js" */

addTexts({ ...presets, ...options, ...home, ...rulesPage });

/** The long texts in the language spoken; null until they have come. @returns {RulesText | null} */
function useRulesText() {
  const [text, setText] = useState(/** @type {RulesText | null} */ (null));
  const now = lang.value;
  useEffect(() => {
    let isGone = false;
    const module = now === "zh" ? import("./texts/rules_zh.js") : import("./texts/rules_en.js");
    module.then(({ rules }) => !isGone && setText(rules), () => location.reload());
    return () => {
      isGone = true;
    };
  }, [now]);
  return text;
}

/** @param {{ rest: string }} props */
export function Rules({ rest }) {
  const preset = presetNames.includes(rest) ? rest : "";
  const text = useRulesText();
  useEffect(() => {
    addSheet("style/rules.css");
    document.title = t("rules.title");
  }, []);
  useEffect(() => {
    if (text && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [text !== null]);
  if (!text) return html`<main class="notice">${t("loading")}</main>`;
  return html`<div class="rules">
    <header class="rules-head"><a class="button quiet icon" href="/" aria-label=${t("home")} onClick=${follow}><${Icon} name="back" /></a>
      <h1>${text.title}</h1><span class="grow"></span><${LangButton} /></header>
    <nav class="contents" aria-label=${t("rules.contents")}><ul>${[...text.sections, { id: "glossary", title: text.glossary.title }].map(({ id, title }) => html`<li key=${id}><a href=${`#${id}`}>${title}</a></li>`)}</ul></nav>
    <main>
      <p class="intro">${text.intro}</p>
      <${Preset} preset=${preset} />
      ${text.sections.map(({ id, title, blocks }) => html`<section key=${id} id=${id} aria-labelledby=${`${id}-title`}><h2 id=${`${id}-title`}>${title}</h2>
        ${blocks.map((block, i) => html`<${BlockView} key=${i} block=${block} preset=${preset} />`)}</section>`)}
      <section id="glossary" aria-labelledby="glossary-title"><h2 id="glossary-title">${text.glossary.title}</h2>
        <div class="scroll-x" tabindex="0" role="region" aria-label=${text.glossary.title}><table class="plain"><thead><tr>${text.glossary.head.map((one) => html`<th scope="col" key=${one}>${one}</th>`)}</tr></thead>
        <tbody>${text.glossary.rows.map((row) => html`<tr key=${row[0]}><td lang="en">${row[0]}</td><td lang="zh">${row[1]}</td><td>${row[2]}</td></tr>`)}</tbody></table></div></section>
      <p><a class="button primary" href="/" onClick=${follow}><${Icon} name="play" />${t("rules.play")}</a></p>
    </main>
  </div>`;
}

/** What a table has changed beyond its preset, from an address such as `?a_win_on="any"`.
 * @param {string} search @returns {Record<string, import("./types.js").OptionValue>} */
function changesOf(search) {
  try {
    return Object.fromEntries([...new URLSearchParams(search)].map(([name, value]) => [name, JSON.parse(value)]));
  } catch {
    return {};
  }
}

/** The rules of one table: a choice, and what it changes in the text. @param {{ preset: string }} props */
function Preset({ preset }) {
  const basic = valuesIn(BASIC);
  const { options } = known({ preset: preset || BASIC, options: changesOf(location.search) });
  const values = { ...valuesIn(preset || BASIC), ...options };
  const changes = differences(values, basic);
  return html`<section id="preset" class="preset panel" aria-labelledby="preset-title"><h2 id="preset-title">${t("rules.preset")}</h2>
    <p class="soft">${t("rules.preset.how", { basic: presetText(BASIC) })}</p>
    <ul class="chips preset-links">${presetNames.map((name) => html`<li key=${name}><a class=${name === preset ? "chip lit" : "chip"} href=${`/rules/${name}`} aria-current=${name === preset ? "page" : undefined} onClick=${follow}>${presetText(name)}</a></li>`)}</ul>
    ${preset && html`<p>${t(`preset.${preset}.why`)}</p><h3>${t("rules.changes")}</h3>
      ${changes.length === 0 ? html`<p>${t("rules.same")}</p>` : html`<dl class="changes">${changes.map((name) => html`<div key=${name} data-change=${name}><dt>${optionText(name)}</dt>
        <dd><b>${valueText(name, values[name])}</b> <s>${valueText(name, basic[name])}</s></dd></div>`)}</dl>`}
      <details><summary>${t("rules.all")}</summary><dl class="changes">${Object.entries(values).map(([name, value]) => html`<div key=${name}><dt>${optionText(name)}</dt><dd>${changes.includes(name) ? html`<b>${valueText(name, value)}</b>` : valueText(name, value)}</dd></div>`)}</dl></details>`}
  </section>`;
}
