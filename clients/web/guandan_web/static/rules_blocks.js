// The parts that the rules page is made of, drawn.
import { html } from "./vendor/ui.js";
import { readingText } from "./cards.js";
import { Icon } from "./kit.js";
import { readingOf } from "./record.js";
import { Cards, Rich } from "./rich.js";
import { optionText, presetText, valuesIn, valuesOf, valueText } from "./rulesets.js";
import { t } from "./text.js";
import "./icons.js";

/** @import { Block, Example, Tribute, Versus, Worked } from "./rules_types.js" */

/** The rules that the texts describe. */
export const BASIC = "site";

/** @param {{ block: Block, preset: string }} props `preset`: of the table that the reader asks for; empty for none. */
export function BlockView({ block, preset }) {
  if (typeof block === "string") return html`<p><${Rich} text=${block} /></p>`;
  if ("ladder" in block) return html`<div class="ladder"><${Cards} cards=${block.ladder.join(" ")} level=${block.level} /></div>`;
  if ("examples" in block) return html`<ul class="examples">${block.examples.map((one, i) => html`<${ExampleView} key=${i} example=${one} />`)}</ul>`;
  if ("versus" in block) return html`<ul class="versus">${block.versus.map((one, i) => html`<${VersusView} key=${i} versus=${one} />`)}</ul>`;
  if ("chain" in block) return html`<ol class="chain">${block.chain.map((one) => html`<li key=${one}>${chainText(one)}</li>`)}</ol>`;
  if ("steps" in block) return html`<ol class="steps">${block.steps.map((one, i) => html`<li key=${i}><${Rich} text=${one} /></li>`)}</ol>`;
  if ("list" in block) return html`<ul class="points">${block.list.map((one, i) => html`<li key=${i}><${Rich} text=${one} /></li>`)}</ul>`;
  if ("tributes" in block) return html`<ul class="tributes">${block.tributes.map((one, i) => html`<${TributeView} key=${i} tribute=${one} />`)}</ul>`;
  if ("worked" in block) return html`<div class="worked">${block.worked.map((one, i) => html`<${WorkedView} key=${i} worked=${one} />`)}</div>`;
  if ("option" in block) return html`<${OptionNote} name=${block.option} preset=${preset} />`;
  return html`<table class="plain"><thead><tr>${block.table.head.map((one) => html`<th scope="col" key=${one}>${one}</th>`)}</tr></thead>
    <tbody>${block.table.rows.map((row, i) => html`<tr key=${i}>${row.map((cell, j) => (j ? html`<td key=${j}>${cell}</td>` : html`<th scope="row" key=${j}>${cell}</th>`))}</tr>`)}</tbody></table>`;
}

/** @param {string} one */
function chainText(one) {
  const [type, n] = one.split("-");
  return n ? t("rules.bomb.n", { n }) : t(`rules.bomb.${type}`);
}

/** @param {{ example: Example }} props */
function ExampleView({ example: { cards, level = "2", is, text } }) {
  return html`<li><${Cards} cards=${cards} level=${level} /><div>
    ${is !== undefined && html`<p class="reads">${is === "" ? html`<em>${t("rules.nothing")}</em>` : is.split(" ").map((one, i) => html`<b key=${one} class=${i ? "second" : ""}>${readingText(readingOf(one))}</b>`)}
      ${level !== "2" && html`<span class="soft">${t("rules.at_level", { level: level === "T" ? "10" : level })}</span>`}</p>`}
    <p><${Rich} text=${text} level=${level} /></p></div></li>`;
}

/** @param {{ versus: Versus }} props */
function VersusView({ versus: { table, cards, level = "2", beats, text } }) {
  return html`<li class=${beats ? "yes" : "no"}><div class="pair"><${Cards} cards=${cards} level=${level} />
    <span class="verdict"><${Icon} name=${beats ? "check" : "close"} />${t(beats ? "rules.beats" : "rules.beats_not")}</span>
    <${Cards} cards=${table} level=${level} /></div><p><${Rich} text=${text} /></p></li>`;
}

/** @param {{ tribute: Tribute }} props */
function TributeView({ tribute: { finish, level, hands, gifts, leader, text } }) {
  return html`<li><p class="soft">${t("rules.places", { places: finish.join(" "), level })}</p>
    <div class="holdings">${Object.entries(hands).map(([seat, cards]) => html`<span key=${seat}>${t("rules.seat_holds", { n: seat })} <${Cards} cards=${cards} level=${level} /></span>`)}</div>
    <p class="gifts">${gifts.length ? gifts.map((gift) => {
      const [from = "", to = "", card = ""] = gift.split(" ");
      return html`<span key=${gift} class="gift"><b>${t("rules.gift", { from, to })}</b> <${Cards} cards=${card} level=${level} /></span>`;
    }) : html`<b>${t("rules.no_gift")}</b>`} <span>${t("rules.leads", { n: leader })}</span></p>
    <p><${Rich} text=${text} /></p></li>`;
}

/** @param {{ worked: Worked }} props */
function WorkedView({ worked: { title, level, cards, question, answer } }) {
  return html`<article class="panel"><h3>${title} <small class="soft">${t("rules.at_level", { level })}</small></h3>
    <${Cards} cards=${cards} level=${level} /><p><${Rich} text=${question} level=${level} /></p>
    <details><summary>${t("rules.think")}</summary><p><${Rich} text=${answer} level=${level} /></p></details></article>`;
}

/** What tables do differently here, and what the table that is asked for does. @param {{ name: string, preset: string }} props */
function OptionNote({ name, preset }) {
  const usual = valuesIn(BASIC)[name];
  const value = valuesIn(preset || BASIC)[name];
  const isOther = preset !== "" && value !== usual;
  return html`<div class=${isOther ? "option-note differs" : "option-note"} data-option=${name}>
    <p><b>${optionText(name)}</b> <span class="soft">${t(`opt.${name}.why`)}</span></p>
    <ul>${valuesOf(name).map((one) => html`<li key=${String(one)} class=${one === value ? "on" : ""}>${one === value && html`<${Icon} name="check" />`}${valueText(name, one)}</li>`)}</ul>
    ${isOther && html`<p class="differs-here">${t("rules.here", { preset: presetText(preset) })}: ${valueText(name, value)}</p>`}</div>`;
}
