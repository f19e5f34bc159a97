// A table that this page is no longer at, and what can be done about it.
import { html } from "./vendor/ui.js";
import { Button } from "./kit.js";
import { go } from "./route.js";
import { ended } from "./table.js";
import { addTexts, hasText, t } from "./text.js";
import { endedTexts } from "./texts/ended.js";
import { refusals } from "./texts/refusals.js";

addTexts({ ...refusals, ...endedTexts });

/** @param {{ again: () => void }} props */
export function Ended({ again }) {
  const why = ended.value;
  const canSit = ["left", "bad_token"].includes(why);
  return html`<main class="notice ended"><h1>${hasText(`end.${why}`) ? t(`end.${why}`) : t(hasText(`why.${why}`) ? `why.${why}` : "end.other")}</h1>
    <div class="row">
      ${why === "replaced" && html`<${Button} kind="primary" onClick=${again}>${t("end.replaced.take")}<//>`}
      ${why === "bad_version" && html`<${Button} kind="primary" onClick=${() => location.reload()}>${t("retry")}<//>`}
      ${canSit && html`<${Button} onClick=${again}>${t("end.watch")}<//>`}
      ${!["replaced", "bad_version", "left", "bad_token"].includes(why) && html`<${Button} onClick=${again}>${t("retry")}<//>`}
      <${Button} kind="quiet" onClick=${() => go("/")}>${t("home")}<//>
    </div></main>`;
}
