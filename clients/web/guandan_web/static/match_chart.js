// A match as a chart: both teams' levels after each hand, and below them who came in where.
import { html, useEffect } from "./vendor/ui.js";
import { rankText } from "./cards.js";
import { addSheet } from "./sheet.js";
import { addTexts, t } from "./text.js";
import { record as texts } from "./texts/record.js";
import { teamText } from "./teams.js";

/** @import { HandSummary, Seat, Team } from "./types.js" */

addTexts(texts);

const LEVELS = "23456789TJQKA";
/** @type {Team[]} */
const TEAMS = ["13", "24"];
const LEFT = 34;
const TOP = 14;
const STEP_Y = 13;
const STEP_X_MIN = 23;
const WIDTH_MIN = 300;
const PLACE_Y = 19;

/** Which line is whose, not by colour alone: one has discs, the other squares and is dashed.
 * @param {{ team: Team, x: number, y: number }} props */
function Mark({ team, x, y }) {
  return team === "13" ? html`<circle cx=${x} cy=${y} r="4" />` : html`<rect x=${x - 3.8} y=${y - 3.8} width="7.6" height="7.6" />`;
}

/**
 * @param {{ hands: HandSummary[], mySeat?: Seat | null, now?: number, onPick?: (hand: number) => void }} props
 *   `hands`: of one match. `now`: the hand that is looked at, if any.
 */
export function MatchChart({ hands, mySeat = null, now = 0 }) {
  useEffect(() => addSheet("style/record.css"), []);
  if (!hands.length) return null;
  const last = hands.at(-1)?.levels ?? { "13": "2", "24": "2" };
  const step = Math.max(STEP_X_MIN, (WIDTH_MIN - LEFT - 16) / Math.max(1, hands.length));
  const width = LEFT + step * hands.length + 16;
  const bottom = TOP + STEP_Y * (LEVELS.length - 1);
  const height = bottom + 26 + PLACE_Y * 4;
  const x = (/** @type {number} */ i) => LEFT + step * i;
  const y = (/** @type {string} */ level) => bottom - STEP_Y * LEVELS.indexOf(level);
  const levels = (/** @type {Team} */ team) => ["2", ...hands.map((hand) => hand.levels[team])];
  const label = t("chart.label", { n: hands.length, a: teamText("13", mySeat), b: teamText("24", mySeat), levelA: rankText(last["13"]), levelB: rankText(last["24"]) });
  return html`<figure class="match-chart">
    <figcaption class="legend">${TEAMS.map((team) => html`<span key=${team} class=${`line-${side(team, mySeat)}`}>
      <svg viewBox="-12 -7 24 14" width="24" height="14" aria-hidden="true"><path class=${`level-line team-${team}`} d="M-12 0H12" /><${Mark} team=${team} x=${0} y=${0} /></svg>
      ${teamText(team, mySeat)} <b>${rankText(last[team])}</b></span>`)}</figcaption>
    <div class="scroll-x" tabindex="0" role="region" aria-label=${t("chart.title")}>
    <svg role="img" class=${step > STEP_X_MIN ? "is-stretched" : ""} aria-label=${label} viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height}>
      ${now > 0 && html`<rect class="chart-now" x=${x(now) - step / 2} y="0" width=${step} height=${height} rx="6" />`}
      ${[...LEVELS].map((level) => html`<g key=${level}><path class="grid" d=${`M${LEFT} ${y(level)}H${width}`} />
        ${"258JA".includes(level) && html`<text class="axis" x=${LEFT - 8} y=${y(level) + 4} text-anchor="end">${rankText(level)}</text>`}</g>`)}
      ${TEAMS.map((team) => html`<g key=${team} class=${`line-${side(team, mySeat)}`}>
        <path class=${`level-line team-${team}`} d=${"M" + levels(team).map((level, i) => `${x(i)} ${y(level) + (team === "13" ? -1 : 1)}`).join("L")} />
        ${levels(team).map((level, i) => html`<${Mark} key=${i} team=${team} x=${x(i)} y=${y(level) + (team === "13" ? -1 : 1)} />`)}</g>`)}
      ${hands.map((hand, i) => html`<g key=${i}><text class="axis" x=${x(i + 1)} y=${bottom + 18} text-anchor="middle">${hand.number}</text>
        ${hand.finish.map((seat, place) => html`<g key=${seat} class=${`line-${side(seat % 2 ? "13" : "24", mySeat)}`}>
          ${seat % 2 ? html`<circle class="place-mark" cx=${x(i + 1)} cy=${bottom + 34 + PLACE_Y * place} r="8" />`
            : html`<rect class="place-mark" x=${x(i + 1) - 8} y=${bottom + 26 + PLACE_Y * place} width="16" height="16" rx="2" />`}
          <text class="place-seat" x=${x(i + 1)} y=${bottom + 38 + PLACE_Y * place} text-anchor="middle">${seat}</text></g>`)}</g>`)}
      ${[1, 2, 3, 4].map((place) => html`<text key=${place} class="axis" x=${LEFT - 8} y=${bottom + 19 + PLACE_Y * place} text-anchor="end">${place}.</text>`)}
    </svg></div>
  </figure>`;
}

/** @param {Team} team @param {Seat | null} mySeat */
const side = (team, mySeat) => ((mySeat ?? 1) % 2 === (team === "13" ? 1 : 0) ? "us" : "them");
