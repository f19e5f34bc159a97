// Which keys there are: the same as in the terminal.
import { html } from "./vendor/ui.js";
import { t } from "./text.js";

/** @type {[keys: string[], text: string][]} */
const KEYS = [
  [["2", "…", "9", "0", "J", "Q", "K", "A"], "keys.rank"],
  [["X"], "keys.x"],
  [["Z", "Y"], "keys.z"],
  [["W"], "keys.w"],
  [["←", "→", "↑", "↓"], "keys.arrows"],
  [["Enter"], "keys.enter"],
  [["P"], "keys.p"],
  [["H", "⇧ H"], "keys.h"],
  [["G"], "keys.g"],
  [["Tab", "⇧ Tab"], "keys.tab"],
  [["Esc"], "keys.esc"],
  [["S"], "keys.s"],
  [["C"], "keys.c"],
  [["L"], "keys.l"],
  [["O"], "keys.o"],
  [["/"], "keys.slash"],
  [["?"], "keys.help"],
];

export function KeyList() {
  return html`<p class="soft">${t("keys.touch")}</p>
    <dl class="keys">${KEYS.map(([keys, text]) => html`<div key=${text}><dt>${keys.map((key) => html`<kbd key=${key}>${key}</kbd>`)}</dt><dd>${t(text)}</dd></div>`)}</dl>`;
}
