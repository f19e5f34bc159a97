// What needs everybody's consent: a rematch, or a new game.
import { html } from "./vendor/ui.js";
import { Button } from "./kit.js";
import { order } from "./moves.js";
import { infoOf, SEATS, whoAll } from "./people.js";
import { mySeat, table } from "./table.js";
import { t } from "./text.js";

export function ProposalBanner() {
  const view = table.value?.view;
  if (!view?.proposal || mySeat.value === null) return null;
  const hasAgreed = view.consents.includes(mySeat.value);
  const waiting = SEATS.filter((seat) => infoOf(seat)?.kind === "person" && !view.consents.includes(seat));
  const agree = (/** @type {boolean} */ yes) => order({ t: "consent", agree: yes });
  return html`<section class="banner proposal" role="alert">
    <p><b>${t(`proposal.${view.proposal}`)}</b> ${hasAgreed ? t("proposal.waiting", { who: whoAll(waiting) }) : t(`proposal.${view.proposal}.ask`)}</p>
    ${!hasAgreed && html`<${Button} kind="primary" onClick=${() => agree(true)}>${t("proposal.yes")}<//>`}
    <${Button} kind="quiet" onClick=${() => agree(false)}>${t(hasAgreed ? "proposal.take_back" : "proposal.no")}<//>
  </section>`;
}
