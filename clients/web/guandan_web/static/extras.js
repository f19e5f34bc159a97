// What a table has beyond its first trick: drawers, the log, phrases, the end of a hand, sound and motion.
// It is fetched when the table is up, so that the cards are there sooner.
import { html } from "./vendor/ui.js";
import { Counter } from "./counter.js";
import { Log } from "./log.js";
import { Phrases } from "./phrases.js";
import { sheetReady } from "./sheet.js";
import { addTexts, t } from "./text.js";
import { extrasTexts } from "./texts/extras.js";
import { home } from "./texts/home.js";
import { refusals } from "./texts/refusals.js";
import "./sound.js";

export { AutopilotBanner } from "./autopilot_banner.js";
export { Backs } from "./backs.js";
export { News } from "./company.js";
export { LinkBanner } from "./link_banner.js";
export { Panels } from "./menu.js";
export { greet } from "./motion.js";
export { NoticeBanner } from "./notice_banner.js";
export { Paused } from "./paused.js";
export { Bubble } from "./phrases.js";
export { ProposalBanner } from "./proposals.js";
export { valuesUnder } from "./rulesets.js";
export { SitDown } from "./sit_down.js";
export { Summary } from "./summary.js";
export { Tallies } from "./tallies.js";
export { Tribute } from "./tribute.js";

addTexts({ ...home, ...refusals, ...extrasTexts });
await sheetReady("style/extras.css");

/** Beside the felt of a wide screen. */
export function Rail() {
  return html`<aside class="rail" aria-label=${t("rail.title")}>
    <details open><summary>${t("log.title")}</summary><${Log} /></details>
    <details><summary>${t("counter.title")}</summary><${Counter} /></details>
    <details><summary>${t("phrase.title")}</summary><${Phrases} /></details>
  </aside>`;
}
