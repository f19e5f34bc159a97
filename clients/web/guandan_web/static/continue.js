// The seats that this browser can come back to.
import { html, useState } from "./vendor/ui.js";
import { Dialog } from "./dialog.js";
import { Button, Icon } from "./kit.js";
import { follow } from "./route.js";
import { forgetSeat, savedSeats } from "./settings.js";
import { t } from "./text.js";

/** @import { SavedSeat } from "./settings.js" */

const DAY_MS = 24 * 3600 * 1000;
const SHOWN = 4;

/** When a seat was last sat on. @param {number} at */
function when(at) {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const n = Math.max(0, Math.ceil((midnight - at) / DAY_MS));
  return n === 0 ? t("home.today") : n === 1 ? t("home.yesterday") : t("home.days", { n });
}

export function Continue() {
  const [seats, setSeats] = useState(savedSeats);
  const [asked, setAsked] = useState(/** @type {SavedSeat | null} */ (null));
  if (!seats.length) return null;
  const forget = (/** @type {SavedSeat} */ seat) => {
    forgetSeat(seat.room);
    setSeats(savedSeats());
    setAsked(null);
  };
  return html`<section class="continue" aria-labelledby="continue-title">
    <h2 id="continue-title">${t("home.continue")}</h2>
    <ul class="plain-list">${seats.slice(0, SHOWN).map((seat) => html`<li key=${seat.room} class="panel saved">
      <a class="saved-link" href=${`/r/${seat.room}`} onClick=${follow}>
        <b>${t("home.back_to", { code: seat.room })}</b>
        <span class="soft">${[seat.name, seat.line, when(seat.at)].filter(Boolean).join(" · ")}</span>
        <${Icon} name="forward" />
      </a>
      <${Button} kind="quiet" class="icon" label=${t("home.forget", { code: seat.room })} onClick=${() => setAsked(seat)}><${Icon} name="close" /><//>
    </li>`)}</ul>
    ${asked && html`<${Dialog} title=${t("home.forget.sure")} onClose=${() => setAsked(null)}>
      <p>${t("home.forget.why", { name: asked.name, code: asked.room })}</p>
      <div class="row"><span class="grow"></span>
        <${Button} kind="quiet" onClick=${() => setAsked(null)}>${t("cancel")}<//>
        <${Button} kind="danger" onClick=${() => forget(asked)}>${t("home.forget.yes")}<//></div>
    <//>`}
  </section>`;
}
