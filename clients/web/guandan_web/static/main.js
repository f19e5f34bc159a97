// The page's front door: which screen the address asks for.
import { effect, html, render, useEffect, useState } from "./vendor/ui.js";
import { Home } from "./home.js";
import { route } from "./route.js";
import { lang, t } from "./text.js";

/** @import { VNode } from "./vendor/ui.js" */

effect(() => {
  document.documentElement.lang = lang.value === "zh" ? "zh-CN" : "en";
});

const room = () => import("./room.js").then((module) => module.ready.then(() => module.Room));

// Whoever touches the start page is about to sit down: the table is fetched while the server is asked.
for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, () => void room(), { once: true });

/** Screens that are loaded when somebody opens them. @type {Record<string, () => Promise<any>>} */
const LATER = {
  r: room,
  watch: room,
  replay: () => import("./replay.js").then((module) => module.Replay),
  rules: () => import("./rules.js").then((module) => module.Rules),
  help: () => import("./rules.js").then((module) => module.Rules),
};

/** @param {{ load: () => Promise<any>, rest: string, watching: boolean }} props */
function Later({ load, rest, watching }) {
  const [Screen, setScreen] = useState(/** @type {any} */ (null));
  useEffect(() => {
    // Modules of an older build are gone from a newer server: begin anew with it.
    load().then((screen) => setScreen(() => screen), () => location.reload());
  }, [load]);
  return Screen ? html`<${Screen} rest=${rest} watching=${watching} />` : html`<main class="notice">${t("loading")}</main>`;
}

function App() {
  const { screen, rest } = route.value;
  const load = LATER[screen];
  const isTable = load === room;
  if (!load || (isTable && !rest)) return html`<${Home} />`;
  return html`<${Later} key=${isTable ? screen + rest : screen} load=${load} rest=${rest} watching=${screen === "watch"} />`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
