// What has been played at a table: hand by hand, and as a chart.
//
//     html`<${SessionRecord} record=${table.value.record} seats=${table.value.view.seats} mySeat=${table.value.seat} />`
//     html`<${MatchChart} hands=${hands} mySeat=${mySeat} />`      the hands of one match
import { html, useEffect } from "./vendor/ui.js";
import { cardText, rankText } from "./cards.js";
import { MatchChart } from "./match_chart.js";
import { botName, named } from "./people.js";
import { addSheet } from "./sheet.js";
import { addTexts, t } from "./text.js";
import { record as texts } from "./texts/record.js";
import { teamText } from "./teams.js";

/** @import { Gift, HandSummary, Seat, SeatInfo } from "./types.js" */

export { MatchChart };

addTexts(texts);

/** The matches of a session: a hand numbered 1 begins one. @param {HandSummary[]} record @returns {HandSummary[][]} */
export function matchesOf(record) {
  /** @type {HandSummary[][]} */
  const matches = [];
  for (const hand of record) {
    if (hand.number === 1 || !matches.length) matches.push([]);
    matches.at(-1)?.push(hand);
  }
  return matches;
}

/** @param {{ record: HandSummary[], seats: Pick<SeatInfo, "name">[], mySeat: Seat | null }} props */
export function SessionRecord({ record, seats, mySeat }) {
  useEffect(() => addSheet("style/record.css"), []);
  const matches = matchesOf(record);
  if (!matches.length) return html`<p class="soft">${t("record.none")}</p>`;
  return html`<div class="session-record">
    ${matches.map((hands, i) => ({ hands, n: i + 1 })).reverse().map(({ hands, n }) => html`<section key=${n}>
      ${matches.length > 1 && html`<h3>${t("record.match", { n })}</h3>`}
      <${MatchChart} hands=${hands} mySeat=${mySeat} />
      <${HandTable} hands=${hands} seats=${seats} mySeat=${mySeat} />
    </section>`)}
  </div>`;
}

/** @param {{ hands: HandSummary[], seats: Pick<SeatInfo, "name">[], mySeat: Seat | null }} props */
export function HandTable({ hands, seats, mySeat }) {
  const name = (/** @type {Seat} */ seat) => (seat === mySeat ? t("role.0") : named(botName(/** @type {SeatInfo | undefined} */ (seats[seat - 1]))) || String(seat));
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t("record.table")}><table class="hand-table">
    <thead><tr><th scope="col">${t("record.hand")}</th><th scope="col">${t("record.level")}</th><th scope="col">${t("record.finish")}</th>
      <th scope="col">${t("record.gain")}</th><th scope="col">${t("record.after")}<small>${teamText("13", mySeat)} : ${teamText("24", mySeat)}</small></th></tr></thead>
    <tbody>${hands.map((hand) => html`<tr key=${hand.number}>
      <th scope="row" data-label=${t("record.hand")}>${hand.number}</th>
      <td data-label=${t("record.level")}>${rankText(hand.level)}</td>
      <td><span class="finish">${hand.finish.map((seat, i) => html`<span key=${seat} class=${`came team-${seat % 2 ? "13" : "24"}`}><i aria-hidden="true">${i + 1}</i><span class="offscreen">${t(`place.${i + 1}`)}: </span><span class="came-name" dir="auto">${name(seat)}</span></span>`)}</span>
        <${TributeLine} hand=${hand} name=${name} /></td>
      <td data-label=${t("record.gain")}>${hand.match_won ? html`<b>${teamText(hand.finish[0] === 1 || hand.finish[0] === 3 ? "13" : "24", mySeat)} · ${t("record.won")}</b>`
        : t("record.gain.of", { team: teamText((hand.finish[0] ?? 1) % 2 ? "13" : "24", mySeat), n: hand.gain })}</td>
      <td data-label=${t("record.after")}>${t("record.levels", { a: rankText(hand.levels["13"]), b: rankText(hand.levels["24"]) })}</td>
    </tr>`)}</tbody>
  </table></div>`;
}

/** @param {{ hand: HandSummary, name: (seat: Seat) => string }} props */
function TributeLine({ hand, name }) {
  const list = (/** @type {Gift[]} */ gifts) =>
    gifts.map((gift) => t("record.gift", { from: name(gift.donor), to: name(gift.recipient), card: cardText(gift.card) })).join(", ");
  if (hand.resisted.length) return html`<small class="soft">${t("record.resisted", { names: hand.resisted.map(name).join(", ") })}</small>`;
  if (!hand.gifts.length) return null;
  return html`<small class="soft">${t("record.tribute", { gifts: list(hand.gifts) })}<br />${t("record.back", { gifts: list(hand.returns) })}</small>`;
}
