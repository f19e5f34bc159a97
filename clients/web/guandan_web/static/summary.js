// The end of a hand, and of a match: who came in when, what it was worth, what comes next.
import { computed, html, useEffect, useRef, useState } from "./vendor/ui.js";
import { Card } from "./card.js";
import { rankText } from "./cards.js";
import { Button, Icon } from "./kit.js";
import { order } from "./moves.js";
import { Avatar, SEATS, TeamMark, infoOf, sideText, whoText } from "./people.js";
import { go } from "./route.js";
import { valuesUnder } from "./rulesets.js";
import { isCalm } from "./settings.js";
import { atLobby, open } from "./panel.js";
import { isHandOver, level, mySeat, table, teamOf } from "./table.js";
import { lang, t } from "./text.js";
import { randomBytes } from "./wire.js";

/** @import { Outcome, Seat, Team } from "./types.js" */

/** When all the others are ready, we are too after so long, and the next hand begins. */
const CONTINUE_MS = 10_000;
/** What the server tells again and again differs by the time it was on its way. */
const JITTER_MS = 700;

/** Levels before this hand: those after the one before it. */
const before = computed(() => {
  const record = table.value?.record ?? [];
  const [previous, last] = [record.at(-2), record.at(-1)];
  return last && previous && last.number > 1 && previous.number === last.number - 1 ? previous.levels : { 13: "2", 24: "2" };
});

/** @param {Outcome} outcome */
const partnersPlace = ({ finish }) => finish.findIndex((seat, i) => i > 0 && teamOf(seat) === teamOf(finish[0] ?? 1)) + 1;

/** Sentences that explain what a glance at the levels would not. @param {Outcome} outcome @returns {string[]} */
function notes(outcome) {
  const now = table.value;
  const team = sideText(outcome.winner);
  const lines = [];
  if (!outcome.match_won && before.value[outcome.winner] === "A") {
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

/** @param {{ seat: Seat, rank: number, outcome: Outcome }} props */
function Row({ seat, rank, outcome }) {
  const team = teamOf(seat);
  const [was, is] = [before.value[team], outcome.after.levels[team]];
  const left = table.value?.public.left?.[seat - 1] ?? [];
  const isDown = partnersPlace(outcome) === 2 && rank > 2;
  return html`<tr class=${team === outcome.winner ? "winner" : ""}>
    <td><span class=${`plate place-mark-${rank}`}>${t(`place.${rank}`)}</span></td>
    <th scope="row"><span class="row-who"><${Avatar} seat=${seat} /><span class="name">${whoText(seat)}</span>${isDown && html`<span class="down">${t("over.down")}</span>`}</span></th>
    <td class="level-cell">${was !== is && html`<s>${rankText(was)}</s> `}<b>${rankText(is)}</b></td>
  </tr>
  ${left.length > 0 && html`<tr class="leftover"><td colspan="3"><span style=${{ "--n": left.length }} role="img" aria-label=${t("over.left", { n: left.length })}>
    ${[...left].reverse().map((face, i) => html`<${Card} key=${i} face=${face} level=${level.value} />`)}</span></td></tr>`}`;
}

export function Summary() {
  const now = table.value;
  const outcome = now?.public.outcome;
  if (!isHandOver.value || !now || !outcome) return null;
  const place = partnersPlace(outcome);
  const team = sideText(outcome.winner);
  const rise = t(`over.title_${place}`, { gain: outcome.gain });
  return html`<section class=${`summary ${outcome.match_won ? "won" : ""}`} aria-labelledby="summary-title">
    <h2 id="summary-title"><${TeamMark} team=${outcome.winner} />${outcome.match_won ? t("over.match", { team }) : t("over.hand", { team })}</h2>
    <p class="headline">${rise}${!outcome.match_won && html`<b class="gain">+${outcome.gain}</b>`}</p>
    <table><thead class="offscreen"><tr><th>${t("over.place")}</th><th>${t("over.player")}</th><th>${t("over.level")}</th></tr></thead>
      <tbody>${outcome.finish.map((seat, i) => html`<${Row} key=${seat} seat=${seat} rank=${i + 1} outcome=${outcome} />`)}</tbody></table>
    ${notes(outcome).map((line) => html`<p class="explained" key=${line}>${line}</p>`)}
    ${now.seat === null ? html`<p class="soft">${t(outcome.match_won ? "over.watching_match" : "over.watching")}</p>` : outcome.match_won ? html`<${MatchButtons} />` : html`<${HandButtons} />`}
  </section>`;
}

/** @param {boolean} ready */
const beReady = (ready) => order({ t: "ready", ready, nonce: ready ? randomBytes(16) : new Uint8Array() });

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
    <${Button} kind="quiet" class="icon" label=${t("score.title")} title=${t("score.title")} onClick=${() => open("score")}><${Icon} name="chart" /><//>
  </div>
  ${others.length > 0 && html`<p class="soft" role="status">${waiting.length ? t("over.waiting", { who: waiting.map(whoText).join(", ") }) : t("over.all_ready")}</p>`}`;
}

function MatchButtons() {
  const now = table.value;
  if (!now) return null;
  const isHost = now.view.host === now.seat;
  const isProposed = now.view.proposal === "rematch";
  return html`<div class="summary-buttons">
    ${isHost && !isProposed && html`<${Button} kind="primary" onClick=${() => order({ t: "propose", proposal: "rematch" })}>${t("over.rematch")}<//>`}
    <${Button} onClick=${() => go(`/replay/${now.code}-${now.view.match}`)}>${t("over.replay")}<//>
    <${Button} kind="quiet" onClick=${() => (atLobby.value = true)}>${t("over.lobby")}<//>
    <${Button} kind="quiet" class="icon" label=${t("score.title")} title=${t("score.title")} onClick=${() => open("score")}><${Icon} name="chart" /><//>
    <${Button} kind="quiet" onClick=${() => go("/")}>${t("home")}<//>
  </div>
  ${!isHost && !isProposed && html`<p class="soft">${t("over.host_asks")}</p>`}`;
}
