// The end of a hand, and of a match: who came in when, what it was worth, what comes next.
import { computed, effect, html, useEffect, useRef, useState } from "./vendor/ui.js";
import { autopilot, setAutopilot } from "./autopilot.js";
import { Card } from "./card.js";
import { rankText } from "./cards.js";
import { Button, Icon } from "./kit.js";
import { order } from "./moves.js";
import { Avatar, SEATS, TeamMark, infoOf, sideText, whoText, whoAll } from "./people.js";
import { go } from "./route.js";
import { valuesUnder } from "./rulesets.js";
import { isCalm } from "./settings.js";
import { atLobby, close, open, panel } from "./panel.js";
import { isHandOver, level, mySeat, table, teamOf } from "./table.js";
import { lang, t } from "./text.js";
import { randomBytes } from "./wire.js";
import "./icons.js";

/** @import { HandSummary, Outcome, PerTeam, Public, Seat, Team } from "./types.js" */

/** When all the others are ready, we are too after so long, and the next hand begins. */
const CONTINUE_MS = 10_000;
/** What the server tells again and again differs by the time it was on its way. */
const JITTER_MS = 700;

/** How a hand ended, which may be looked at when the next one is on.
 * @typedef {{ outcome: Outcome, left: Public["left"], level: string, before: PerTeam<string> }} Result */

/** Levels before the last hand: those after the one before it. @param {HandSummary[]} record @returns {PerTeam<string>} */
function levelsBefore(record) {
  const [previous, last] = [record.at(-2), record.at(-1)];
  return last && previous && last.number > 1 && previous.number === last.number - 1 ? previous.levels : { 13: "2", 24: "2" };
}

/** The last hand as the session's record has it, for a page that was loaded after its end.
 * @param {HandSummary[]} record @returns {Result | null} */
function recorded(record) {
  const last = record.at(-1);
  if (!last) return null;
  const now = table.peek()?.public;
  const after = { levels: last.levels, active: now?.level ?? "2", owner: now?.owner ?? null, misses: now?.misses ?? { 13: 0, 24: 0 } };
  const outcome = { finish: last.finish, winner: teamOf(last.finish[0] ?? 1), gain: last.gain, missed: [], fallen: [], match_won: last.match_won, after };
  return { outcome, left: null, level: last.level, before: levelsBefore(record) };
}

/** What was last seen at the end of a hand, at which table. @type {{ code: string, result: Result } | null} */
let seen = null;
const KEPT_MS = 20_000;

/** The result of the last hand that ended; null if there is none yet. */
export const lastResult = computed(() => {
  const now = table.value;
  if (!now) return null;
  const outcome = isHandOver.value ? now.public.outcome : null;
  if (outcome) seen = { code: now.code, result: { outcome, left: now.public.left, level: level.value, before: levelsBefore(now.record) } };
  return seen?.code === now.code ? seen.result : recorded(now.record);
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let wasOver = false;
/** Has the player gone on from this result? */
let isAnswered = false;
// Who is played for says neither "next" nor "wait": the result stays for a while after it has gone on.
effect(() => {
  const isOver = isHandOver.value && !!lastResult.value;
  const goesOn = wasOver && !isOver && !isAnswered && !!table.value && !!autopilot.value && !lastResult.peek()?.outcome.match_won;
  if (isOver && !wasOver) isAnswered = false;
  wasOver = isOver;
  if (goesOn && !panel.peek()) {
    open("result");
    timer = setTimeout(putAway, KEPT_MS);
  } else if (timer && (isOver || !autopilot.value)) {
    clearTimeout(timer);
    timer = undefined;
    putAway();
  }
});

/** Back to the hand that is on. */
function putAway() {
  if (panel.peek() === "result") close();
}

/** @param {Outcome} outcome */
const partnersPlace = ({ finish }) => finish.findIndex((seat, i) => i > 0 && teamOf(seat) === teamOf(finish[0] ?? 1)) + 1;

/** Sentences that explain what a glance at the levels would not. @param {Result} result @returns {string[]} */
function notes({ outcome, before }) {
  const now = table.value;
  const team = sideText(outcome.winner);
  const lines = [];
  if (!outcome.match_won && before[outcome.winner] === "A") {
    lines.push(partnersPlace(outcome) === 4 ? t("over.one_four", { team }) : t("over.not_own", { team }));
  }
  const most = Number((now && valuesUnder(now.view)["a_max_misses"]) ?? 0);
  for (const missed of outcome.missed) {
    const params = { team: sideText(missed), n: outcome.after.misses[missed], most };
    if (outcome.fallen.includes(missed)) lines.push(t("over.fallen", params));
    else if (!(missed === outcome.winner && lines.length)) lines.push(t(most ? "over.missed_of" : "over.missed", params));
    else if (most) lines.push(t("over.missed_of", params));
  }
  if (outcome.match_won || !now) return lines;
  lines.push(t("over.next", { level: rankText(outcome.after.active) }) + tributeToCome(outcome));
  return lines;
}

/** @param {Outcome} outcome */
function tributeToCome(outcome) {
  const now = table.value;
  if (!now || valuesUnder(now.view)["tribute"] === false) return "";
  const [first = 1, second = 2, third = 3, last = 4] = outcome.finish.map(whoText);
  return (lang.value === "zh" ? "" : " ") + (partnersPlace(outcome) === 2 ? t("over.tribute_double", { first, second, third, last }) : t("over.tribute_single", { first, last }));
}

/** @param {{ seat: Seat, rank: number, result: Result }} props */
function Row({ seat, rank, result }) {
  const { outcome } = result;
  const team = teamOf(seat);
  const [was, is] = [result.before[team], outcome.after.levels[team]];
  const left = result.left?.[seat - 1] ?? [];
  const isDown = partnersPlace(outcome) === 2 && rank > 2;
  return html`<tr class=${team === outcome.winner ? "winner" : ""}>
    <td><span class=${`plate place-mark-${rank}`}>${t(`place.${rank}`)}</span></td>
    <th scope="row"><span class="row-who"><${Avatar} seat=${seat} /><span class="name">${whoText(seat)}</span>${isDown && html`<span class="down">${t("over.down")}</span>`}</span></th>
    <td class="level-cell">${was !== is && html`<s>${rankText(was)}</s> `}<b>${rankText(is)}</b></td>
  </tr>
  ${left.length > 0 && html`<tr class="leftover"><td colspan="3"><span style=${{ "--n": left.length }} role="img" aria-label=${t("over.left", { n: left.length })}>
    ${[...left].reverse().map((face, i) => html`<${Card} key=${i} face=${face} level=${result.level} />`)}</span></td></tr>`}`;
}

export function Summary() {
  const now = table.value;
  const result = lastResult.value;
  const isOver = isHandOver.value;
  if (!now || !result || !(isOver || panel.value === "result")) return null;
  const { outcome } = result;
  const place = partnersPlace(outcome);
  const team = sideText(outcome.winner);
  const rise = t(`over.title_${place}`, { gain: outcome.gain });
  const buttons = () => {
    if (!isOver) return html`<div class="summary-buttons"><${Button} kind="primary" onClick=${putAway}>${t("close")}<//>
      ${autopilot.value && html`<${Button} onClick=${() => setAutopilot(false)}>${t("auto.cancel")}<//>`}</div>`;
    if (now.seat === null) return html`<${WatcherButtons} isMatch=${outcome.match_won} />`;
    return outcome.match_won ? html`<${MatchButtons} />` : html`<${HandButtons} />`;
  };
  return html`<section class=${`summary ${outcome.match_won ? "won" : ""} ${isOver ? "" : "kept"}`} aria-labelledby="summary-title">
    <h2 id="summary-title"><${TeamMark} team=${outcome.winner} />${outcome.match_won ? t("over.match", { team }) : t("over.hand", { team })}</h2>
    <p class="headline">${rise}${!outcome.match_won && html`<b class="gain">+${outcome.gain}</b>`}</p>
    <table><thead class="offscreen"><tr><th>${t("over.place")}</th><th>${t("over.player")}</th><th>${t("over.level")}</th></tr></thead>
      <tbody>${outcome.finish.map((seat, i) => html`<${Row} key=${seat} seat=${seat} rank=${i + 1} result=${result} />`)}</tbody></table>
    ${notes(result).map((line) => html`<p class="explained" key=${line}>${line}</p>`)}
    ${buttons()}
  </section>`;
}

/** Who looks on can look at the match again, too. @param {{ isMatch: boolean }} props */
function WatcherButtons({ isMatch }) {
  return html`<p class="soft">${t(isMatch ? "over.watching_match" : "over.watching")}</p>
    <div class="summary-buttons">${isMatch && html`<${ReplayButton} />`}<${ScoreButton} /></div>`;
}

const ReplayButton = () => html`<${Button} onClick=${() => go(`/replay/${table.value?.code}-${table.value?.view.match}`)}>${t("over.replay")}<//>`;
const ScoreButton = () => html`<${Button} kind="quiet" class="icon" label=${t("score.title")} title=${t("score.title")} onClick=${() => open("score")}><${Icon} name="chart" /><//>`;

/** @param {boolean} ready */
const beReady = (ready) => ((isAnswered = ready), order({ t: "ready", ready, nonce: ready ? randomBytes(16) : new Uint8Array() }));

/** What is left until the next hand begins by itself: until we are ready when all others are, or until
 * the server deals. @param {{ runs: boolean }} props */
function Ring({ runs }) {
  const shown = useRef({ ends: 0, ms: 0 });
  const began = useRef(0);
  if (!runs) began.current = 0;
  else began.current ||= performance.now();
  const ends = Math.min(table.value?.dealEnds ?? Infinity, runs ? began.current + CONTINUE_MS : Infinity);
  if (ends === Infinity || isCalm()) return null;
  if (Math.abs(shown.current.ends - ends) > JITTER_MS) shown.current = { ends, ms: Math.max(0, ends - performance.now()) };
  const { ms } = shown.current;
  return html`<svg key=${shown.current.ends} class="ring-timer" viewBox="0 0 24 24" aria-hidden="true" style=${{ "--ms": `${Math.round(ms)}ms` }}><circle cx="12" cy="12" r="9" pathLength="1" /></svg>`;
}

function HandButtons() {
  const now = table.value;
  const own = now?.seat ? infoOf(now.seat) : undefined;
  const others = SEATS.filter((seat) => seat !== mySeat.value && infoOf(seat)?.kind === "person");
  // Who is played for is not waited for.
  const waiting = others.filter((seat) => !infoOf(seat)?.ready && infoOf(seat)?.control === "self");
  const isReady = !!own?.ready;
  const [isHeld, hold] = useState(false);
  const runs = others.length > 0 && !waiting.length && !isReady && !own?.later && !isHeld;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setTimeout(() => beReady(true), CONTINUE_MS);
    return () => clearTimeout(timer);
  }, [runs]);
  return html`<div class="summary-buttons">
    <${Button} kind="primary" class="next" pressed=${others.length ? isReady : undefined} onClick=${() => beReady(!isReady)}>
      <${Ring} runs=${runs} />
      ${isReady ? html`<${Icon} name="check" />${t("over.ready")}` : t("over.next_hand")}<//>
    ${runs && html`<${Button} kind="quiet" onClick=${() => hold(true)}>${t("over.hold")}<//>`}
    <${Button} kind="quiet" pressed=${!!own?.later} title=${t("over.later_how")} onClick=${async () => (await order({ t: "later", later: !own?.later })) && !own?.later && go("/")}>${t("over.later")}<//>
    <${ScoreButton} />
  </div>
  ${others.length > 0 && html`<p class="soft" role="status">${waiting.length ? t("over.waiting", { who: whoAll(waiting) }) : t("over.all_ready")}</p>`}`;
}

function MatchButtons() {
  const now = table.value;
  if (!now) return null;
  const isHost = now.view.host === now.seat;
  const isProposed = now.view.proposal === "rematch";
  return html`<div class="summary-buttons">
    ${isHost && !isProposed && html`<${Button} kind="primary" onClick=${() => order({ t: "propose", proposal: "rematch" })}>${t("over.rematch")}<//>`}
    <${ReplayButton} />
    <${Button} onClick=${() => open("review")}>${t("over.review")}<//>
    <${Button} kind="quiet" onClick=${() => (atLobby.value = true)}>${t("over.lobby")}<//>
    <${ScoreButton} />
    <${Button} kind="quiet" onClick=${() => go("/")}>${t("home")}<//>
  </div>
  ${!isHost && !isProposed && html`<p class="soft">${t("over.host_asks")}</p>`}`;
}
