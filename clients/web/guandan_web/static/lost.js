// An address that leads nowhere.
import { html, useEffect } from "./vendor/ui.js";
import { Card } from "./card.js";
import { LangButton } from "./kit.js";
import { follow } from "./route.js";
import { addTexts, t } from "./text.js";
import { lost } from "./texts/lost.js";

addTexts(lost);

export function Lost() {
  useEffect(() => {
    document.title = t("lost.title");
  });
  return html`<main class="notice lost-page">
    <p aria-hidden="true"><${Card} face="Y" /></p>
    <h1>${t("lost.title")}</h1>
    <p class="soft">${t("lost.how")}</p>
    <p class="row"><a class="button primary" href="/" onClick=${follow}>${t("home")}</a>
      <a class="button quiet" href="/rules" onClick=${follow}>${t("lost.rules")}</a><${LangButton} /></p>
  </main>`;
}
