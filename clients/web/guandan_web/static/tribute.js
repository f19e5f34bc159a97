// Tribute and return, told on the felt itself: who gives to whom and why, and the cards once they are seen.
import { computed, html } from "./vendor/ui.js";
import { Back, Card } from "./card.js";
import { Icon } from "./kit.js";
import { whoText, whoAll } from "./people.js";
import { level, table } from "./table.js";
import { t } from "./text.js";

/** @import { Seat } from "./types.js" */

/** Is the tribute of this hand still to be seen: until the first card is played? */
const isOpen = computed(() => {
  const now = table.value?.public;
  if (!now || !["paying", "returning", "leading"].includes(now.phase)) return false;
  const hasBegun = now.played.some((cards) => cards.length);
  return !hasBegun && (now.owing.length > 0 || now.gifts.length > 0 || now.resisted.length > 0);
});

/** Why this is paid, from how the last hand ended. */
function whyText() {
  const finish = table.value?.record.at(-1)?.finish;
  if (!finish) return "";
  const [first = 1, second = 2, third = 3, last = 4] = finish;
  const isDouble = (first - second) % 2 === 0;
  return isDouble
    ? t("tribute.why_double", { first: whoText(first), second: whoText(second), third: whoText(third), last: whoText(last) })
    : t("tribute.why_single", { first: whoText(first), last: whoText(last) });
}

/** A card that goes one way or the other. @param {{ kind: "paid" | "returned", card: string | undefined }} props */
function Given({ kind, card }) {
  return html`<span class=${`given ${kind}`}>${card ? html`<${Card} face=${card} level=${level.value} />` : html`<${Back} />`}
    <span class="tribute-plate">${t(`tribute.plate_${kind}`)}</span></span>`;
}

/** A gift and what is given back for it. @param {{ donor: Seat, recipient: Seat, gift?: string, back?: string }} props */
function Exchange({ donor, recipient, gift, back }) {
  return html`<li class="exchange"><b>${whoText(donor)}</b><${Icon} name="forward" /><${Given} kind="paid" card=${gift} /><b>${whoText(recipient)}</b>
    ${gift && html`<${Icon} name="back" /><${Given} kind="returned" card=${back} />`}</li>`;
}

export function Tribute() {
  const now = table.value?.public;
  if (!isOpen.value || !now) return null;
  if (now.resisted.length) {
    return html`<section class="tribute resisted"><strong>${t("tribute.resisted")}</strong>
      <p>${t("tribute.resisted_by", { who: whoAll(now.resisted) })}</p></section>`;
  }
  return html`<section class="tribute">
    <p class="soft">${whyText()}</p>
    <ul>
      ${now.owing.map(([donor, recipient]) => html`<${Exchange} key=${donor} donor=${donor} recipient=${recipient} />`)}
      ${now.gifts.map(({ donor, recipient, card }) => html`<${Exchange} key=${donor} donor=${donor} recipient=${recipient} gift=${card}
        back=${now.returns.find((one) => one.donor === recipient)?.card} />`)}
    </ul>
  </section>`;
}
