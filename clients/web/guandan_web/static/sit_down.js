// Seats that somebody who came by a link can have while a match is on: a bot's, with its cards.
import { html } from "./vendor/ui.js";
import { Button } from "./kit.js";
import { sitDown } from "./lobby_seat.js";
import { complain } from "./moves.js";
import { NameField } from "./name_field.js";
import { infoOf, nameOf, SEATS } from "./people.js";
import { savedSeat } from "./settings.js";
import { t } from "./text.js";

/** @param {{ code: string }} props */
export function SitDown({ code }) {
  const free = SEATS.filter((seat) => infoOf(seat) && infoOf(seat)?.kind !== "person");
  if (!free.length || savedSeat(code)) return null;
  return html`<aside class="sit-down" aria-label=${t("watch.sit")}>
    <${NameField} />
    <span>${t("watch.sit")}</span>
    ${free.map((seat) => html`<${Button} key=${seat} onClick=${() => sitDown(code, seat, (/** @type {string} */ why) => why && complain("", why))}>${t("watch.seat", { n: seat, who: nameOf(seat) })}<//>`)}</aside>`;
}
