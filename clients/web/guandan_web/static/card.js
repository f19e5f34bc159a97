// One card, drawn: a CSS box, its rank in text, its suit as one path. What tells a card from another
// is in its left 40 %, which is what stays visible in a column or a fan.
import { html } from "./vendor/ui.js";
import { cardText, isWild, rankOf, rankText, suitOf } from "./cards.js";
import { t } from "./text.js";

/**
 * @param {object} props
 * @param {import("./types.js").Card} props.face
 * @param {string} [props.level]  Of the hand: tints level cards, marks wilds.
 * @param {string} [props.as]  The face that a wild stands for on the table.
 * @param {string} [props.class]
 */
export function Card({ face, level = "", as = "", class: extra = "" }) {
  const rank = rankOf(face);
  const suit = suitOf(face);
  const isJoker = !suit;
  const wild = isWild(face, level);
  const kinds = ["card", isJoker ? `joker joker-${face}` : `suit-${suit}`, wild ? "wild" : rank === level ? "level" : "", extra];
  const mark = isJoker ? "joker" : `suit-${suit}`;
  return html`<span class=${kinds.filter(Boolean).join(" ")} data-face=${face} role="img" aria-label=${cardText(face, level)}>
    <span class="index" aria-hidden="true">
      <b class=${isJoker ? "rank word" : rank === "T" ? "rank ten" : "rank"}>${isJoker ? t(`card.word_${face}`) : rankText(rank)}</b>
      <svg class="pip"><use href=${`#${mark}`} /></svg>
      ${wild && html`<i class="wild-tag">${t("card.wild_tag")}</i>`}
    </span>
    <svg class="big-pip" aria-hidden="true"><use href=${`#${mark}`} /></svg>
    ${as && as !== face && html`<em class="as" role="img" aria-label=${t("card.as", { card: cardText(as) })}>
      <span aria-hidden="true">${rankText(rankOf(as))}</span><svg aria-hidden="true" class=${`suit-${suitOf(as)}`}><use href=${`#suit-${suitOf(as)}`} /></svg>
    </em>`}
  </span>`;
}

/** The back of a card. */
export function Back() {
  return html`<span class="card back" aria-hidden="true"></span>`;
}
