// A table that waits: nobody is left, or all wanted to play on later.
import { html } from "./vendor/ui.js";
import { Button } from "./kit.js";
import { order } from "./moves.js";
import { infoOf, SEATS, whoAll } from "./people.js";
import { mySeat, table } from "./table.js";
import { t } from "./text.js";
import { randomBytes } from "./wire.js";

export function Paused() {
  const view = table.value?.view;
  if (view?.stage !== "paused") return null;
  const own = mySeat.value === null ? undefined : infoOf(mySeat.value);
  const waiting = SEATS.filter((seat) => infoOf(seat)?.kind === "person" && infoOf(seat)?.later);
  return html`<section class="summary paused"><h2>${t("paused.title")}</h2>
    <p>${t("paused.how")}</p>
    ${waiting.length > 0 && html`<p class="soft">${t("paused.who", { who: whoAll(waiting) })}</p>`}
    ${own && html`<div class="summary-buttons"><${Button} kind="primary" onClick=${() => order({ t: "ready", ready: true, nonce: randomBytes(16) })}>${t("paused.go")}<//></div>`}
  </section>`;
}
