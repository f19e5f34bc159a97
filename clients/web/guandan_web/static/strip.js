// The strip on top: both teams' levels, what is played at, what is still out, and how the link is.
import { html } from "./vendor/ui.js";
import { rankText } from "./cards.js";
import { Icon } from "./kit.js";
import { extras } from "./later.js";
import { open } from "./panel.js";
import { isOurs, TeamMark, teamText, viewFrom } from "./people.js";
import { link, table, teamOf } from "./table.js";
import { t } from "./text.js";

/** @import { Team } from "./types.js" */

/** A team's level; at A, which attempt it is where they are limited. @param {Team} team */
export function levelText(team) {
  const now = table.value;
  const level = now?.public.levels[team] ?? "2";
  const most = level === "A" && now && extras.value?.valuesUnder(now.view)["a_max_misses"];
  if (most) return `A${(now?.public.misses[team] ?? 0) + 1}`;
  return rankText(level);
}

/** @param {{ team: Team }} props */
function Tile({ team }) {
  const now = table.value?.public;
  if (!now) return null;
  const isOn = now.owner === team;
  const won = now.outcome?.winner === team ? now.outcome : null;
  const label = `${teamText(team)} ${levelText(team)}`;
  return html`<span class=${`tile ${isOurs(team) ? "us" : "them"} ${isOn ? "on" : ""}`} role="img" aria-label=${isOn ? t("strip.owner", { team: label }) : label}>
    <${TeamMark} team=${team} /><span class="tile-name">${teamText(team)}</span><b>${levelText(team)}</b>
    ${won && won.gain > 0 && html`<em class="rise" key=${now.hand} aria-hidden="true">+${won.gain}</em>`}
  </span>`;
}

function LinkDot() {
  const { state, latencyMs } = link.value;
  const kind = state !== "on" ? "off" : (latencyMs ?? 0) > 400 ? "slow" : "good";
  const text = state !== "on" ? t("link.off") : latencyMs === null ? t("link.on") : t("link.latency", { ms: latencyMs });
  return html`<span class=${`dot ${kind}`} role="img" aria-label=${text} title=${text}><span aria-hidden="true">${state === "on" && latencyMs !== null ? latencyMs : ""}</span></span>`;
}

export function Strip() {
  const now = table.value;
  if (!now) return null;
  const ours = teamOf(now.seat ?? viewFrom.value);
  const isOver = now.public.phase === "hand_over";
  return html`<header class="strip">
    <${Tile} team=${ours} /><${Tile} team=${ours === "13" ? "24" : "13"} />
    ${now.public.hand > 0 && html`<span class="now" title=${t(isOver ? "strip.next" : "strip.now", { level: rankText(now.public.level) })}>
      <span class="now-word">${t(isOver ? "strip.next_word" : "strip.now_word")}</span><b>${rankText(now.public.level)}</b></span>`}
    <span class="grow"></span>
    ${extras.value && html`<${extras.value.Tallies} />`}
    <span class="code" translate="no">${now.code}</span>
    <${LinkDot} />
    <button type="button" class="button quiet icon menu-button" aria-label=${t("menu.title")} title=${t("menu.title")} onClick=${() => open("menu")}><${Icon} name="menu" /></button>
  </header>`;
}
