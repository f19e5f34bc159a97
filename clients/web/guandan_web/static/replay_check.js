// Was the shuffle fair? Worked out here, by this browser, from what the record says.
import { html, useMemo } from "./vendor/ui.js";
import { Icon } from "./kit.js";
import { toHex } from "./settings.js";
import { checked } from "./shuffle.js";
import { t } from "./text.js";
import "./icons.js";

/** @import { MatchRecord } from "./record.js" */

/** @param {{ record: MatchRecord }} props */
export function ShuffleCheck({ record }) {
  const results = useMemo(() => record.hands.map((hand) => ({ hand, ...checked(hand) })), [record]);
  const bad = results.filter((one) => !one.isPromised || !one.isDealt);
  const isGood = bad.length === 0;
  const mark = (/** @type {boolean} */ isRight) => html`<span class=${isRight ? "fits" : "fails"}>${t(isRight ? "check.fits" : "check.fails")}</span>`;
  return html`<details class=${isGood ? "rp-check panel verified" : "rp-check panel failed"} data-verified=${String(isGood)}>
    <summary><${Icon} name=${isGood ? "shield" : "close"} /><span><b>${t(isGood ? "check.good" : "check.bad")}</b>
      <span class="soft">${isGood ? t("check.good.long", { n: results.length }) : t("check.bad.long", { hands: bad.map((one) => one.hand.number).join(", ") })}</span></span></summary>
    <h3>${t("check.what")}</h3>
    <ol>${[1, 2, 3, 4].map((n) => html`<li key=${n}>${t(`check.${n}`)}</li>`)}</ol>
    <div class="scroll-x" tabindex="0" role="region" aria-label=${t("check.what")}><table class="hand-table">
      <thead><tr><th scope="col">${t("check.hand")}</th><th scope="col">${t("check.commitment")}</th><th scope="col">${t("check.seed")}</th><th scope="col">${t("check.nonces")}</th></tr></thead>
      <tbody>${results.map(({ hand, isPromised, isDealt }) => html`<tr key=${hand.number}><th scope="row">${hand.number}</th>
        <td>${mark(isPromised)} <code>${toHex(hand.commitment)}</code></td>
        <td>${mark(isDealt)} <code>${toHex(hand.seed)}</code></td>
        <td>${hand.nonces.flatMap((nonce, i) => (nonce.length ? [i + 1] : [])).join(", ") || "–"}</td></tr>`)}</tbody>
    </table></div>
  </details>`;
}
