// The few controls that every screen is made of.
import { html } from "./vendor/ui.js";
import { lang, t } from "./text.js";
import { set } from "./settings.js";

/** @import { ComponentChildren } from "./vendor/ui.js" */

/**
 * @param {{ onClick: (event: Event) => void, kind?: "primary" | "plain" | "quiet" | "danger", disabled?: boolean,
 *   class?: string, title?: string, pressed?: boolean, label?: string, children?: ComponentChildren, autofocus?: boolean }} props
 */
export function Button({ onClick, kind = "plain", disabled = false, class: extra = "", title, pressed, label, children }) {
  return html`<button type="button" class=${`button ${kind} ${extra}`} disabled=${disabled} title=${title}
    aria-pressed=${pressed === undefined ? undefined : String(pressed)} aria-label=${label} onClick=${onClick}>${children}</button>`;
}

/** One of several chips, of which one is lit.
 * @param {{ options: { value: any, label: string, title?: string }[], value: any, onChange: (value: any) => void, label: string, disabled?: boolean }} props */
export function Chips({ options, value, onChange, label, disabled = false }) {
  return html`<div class="chips" role="group" aria-label=${label}>
    ${options.map((one) => html`<button type="button" key=${one.label} class=${one.value === value ? "chip lit" : "chip"} disabled=${disabled}
      aria-pressed=${String(one.value === value)} title=${one.title} onClick=${() => onChange(one.value)}>${one.label}</button>`)}
  </div>`;
}

/** Paths on a grid of 24, drawn with a line; `icons.js` has those that no table begins with. @type {Record<string, string>} */
export const ICONS = {
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  back: "M14 5l-7 7 7 7",
  forward: "M10 5l7 7-7 7",
  settings: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2",
  play: "M8 5l11 7-11 7z",
  chat: "M4 5h16v11H10l-4 4v-4H4z",
  list: "M8 7h12M8 12h12M8 17h12M4 7h.01M4 12h.01M4 17h.01",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  crown: "M4 18h16M4 15l-1-8 5 4 4-6 4 6 5-4-1 8z",
  bot: "M5 9h14v10H5zM12 9V5M9 13v2M15 13v2",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c1-5 4-7 8-7s7 2 8 7",
  sort: "M6 4v16l-3-3M11 6h10M11 12h7M11 18h4",
  counter: "M5 4h14v16H5zM9 8h6M9 12h6M9 16h3",
  auto: "M12 3a9 9 0 1 0 9 9M12 7v5l3 3M17 3h4v4",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.5 1 2.5h6c0-1 .3-1.8 1-2.5A6 6 0 0 0 12 3z",
};

/** A picture drawn with lines, beside a text or in a labelled button. @param {{ name: string }} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name] ?? ""} /></svg>`;
}

/** Switches the page to the other language. */
export function LangButton() {
  return html`<${Button} kind="quiet" class="lang" onClick=${() => set({ lang: lang.value === "zh" ? "en" : "zh" })}>
    <span lang=${lang.value === "zh" ? "en" : "zh"}>${t("lang.other")}</span><//>`;
}
