// The page's front door: which screen the address asks for.
import { effect, html, render } from "./vendor/ui.js";
import { fetchExtras, Later } from "./later.js";
import { route } from "./route.js";
import { addSheet } from "./sheet.js";
import { lang, t } from "./text.js";

/** Styles that few have need of, and when. */
const SHEETS = { "(forced-colors: active)": "style/contrast.css", "(max-width: 17em)": "style/large.css" };

function dress() {
  for (const [when, sheet] of Object.entries(SHEETS)) if (matchMedia(when).matches) addSheet(sheet);
}

dress();
// Not all browsers tell of a change of settings; whoever made one comes back to the page.
for (const sign of ["resize", "visibilitychange"]) addEventListener(sign, dress);

effect(() => {
  document.documentElement.lang = lang.value === "zh" ? "zh-CN" : "en";
});

const lost = () => import("./lost.js").then((module) => module.Lost);
const home = () => import("./home.js").then((module) => module.Home);
/** Who comes by a link sees the table as soon as can be; from another screen there was time for all of it. */
const isByLink = ["r", "watch"].includes(route.peek().screen);
const room = () => import("./room.js").then(async (module) => {
  await Promise.all([module.ready, isByLink || fetchExtras()]);
  return module.Room;
});

/** Screens, each loaded when somebody opens it; an address without one is the start page's. @type {Record<string, () => Promise<any>>} */
const SCREENS = {
  r: room,
  watch: room,
  replay: () => import("./replay.js").then((module) => module.Replay),
  rules: () => import("./rules.js").then((module) => module.Rules),
  help: () => import("./rules.js").then((module) => module.Rules),
};

// Whoever touches the start page is about to sit down: the table is fetched while the server is asked.
for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, () => void import("./room.js").then((module) => module.prefetch()), { once: true });

const loading = () => html`<main class="notice">${t("loading")}</main>`;

function App() {
  const { screen, rest } = route.value;
  const load = SCREENS[screen];
  const isTable = load === room;
  if (screen && !load) return html`<${Later} key="lost" load=${lost} meanwhile=${loading()} />`;
  if (!load || (isTable && !rest)) return html`<${Later} key="home" load=${home} meanwhile=${loading()} />`;
  return html`<${Later} key=${isTable ? screen + rest : screen} load=${load} meanwhile=${loading()} rest=${rest} watching=${screen === "watch"} />`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
