// A record that is open: the table, the controls, the list of moves, the chart, the check.
import { html, useEffect, useMemo, useRef, useState } from "./vendor/ui.js";
import { rankText, readingText } from "./cards.js";
import { Copy } from "./dialog.js";
import { Button, Chips, Icon } from "./kit.js";
import { summaries } from "./record.js";
import { HandTable, MatchChart } from "./record_view.js";
import { ShuffleCheck } from "./replay_check.js";
import { Controls } from "./replay_controls.js";
import { ReplayTable } from "./replay_table.js";
import { frameTexts, levelsBefore, namer, shortText } from "./replay_words.js";
import { choiceText, differences, optionText, valuesIn, valueText } from "./rulesets.js";
import { t } from "./text.js";
import { teamText } from "./teams.js";

/** @import { OptionValue, Seat } from "./types.js" */
/** @import { Frame } from "./frames.js" */
/** @import { MatchRecord } from "./record.js" */
/** @import { Opened } from "./replay.js" */
/** @import { Moment } from "./moment.js" */
/** @import { Hint } from "./types.js" */

/** The moment that a link points at: #HAND-STEP, both from 1; or #COMMANDS, so many of which have been carried out.
 * @param {Frame[]} frames @param {string} hash */
export function momentOf(frames, hash) {
  const [, commands] = /^#(\d+)$/.exec(hash) ?? [];
  if (commands) return Math.max(0, Math.min(Number(commands), frames.length) - 1);
  const [, hand = "1", step = "1"] = /^#(\d+)-(\d+)$/.exec(hash) ?? [];
  const first = frames.findIndex((frame) => frame.hand === Number(hand) - 1);
  const at = first + Number(step) - 1;
  return first >= 0 && frames[at]?.hand === Number(hand) - 1 ? at : Math.max(0, first);
}

/** @param {{ opened: Opened, path: string, moment: Moment | null }} props  `path`: where others find it; empty for a file.
 * `moment`: the decision of a review that it was opened for. */
export function ReplayView({ opened, path, moment }) {
  const { record, frames, text } = opened;
  const [at, setAt] = useState(() => momentOf(frames, location.hash));
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [eye, setEye] = useState(/** @type {Seat | 0} */ (0));
  const hands = useMemo(() => summaries(record), [record]);
  const name = namer(record);
  const frame = /** @type {Frame} */ (frames[at]);
  const hand = record.hands[frame.hand];
  const level = hand?.level ?? "2";
  const before = levelsBefore(record, frame.hand);
  const first = frames.findIndex((one) => one.hand === frame.hand);
  const seats = record.names.map((_, i) => ({ name: name(i + 1) }));
  return html`<div class="replay-body">
    <div class="replay-facts row"><b>${t("replay.hand", { n: hand?.number ?? 0, of: record.hands.length })}</b><span>${t("replay.level", { level: rankText(level) })}</span>
      <span class="soft">${t("replay.levels", { a: teamText("13"), levelA: rankText(before["13"]), b: teamText("24"), levelB: rankText(before["24"]) })}</span>
      ${moment && html`<p class="rp-judged">${judgedText(moment)}</p>`}</div>
    <${ReplayTable} frame=${frame} level=${level} name=${name} eye=${eye} own=${moment?.seat ?? null} words=${frameTexts(record, frame, frames[at - 1], before)} />
    <${Controls} record=${record} frames=${frames} at=${at} onGo=${setAt} isPlaying=${isPlaying} onPlay=${setPlaying} speed=${speed} onSpeed=${setSpeed} />
    <div class="replay-more">
      <${Chips} label=${t("replay.eye")} value=${eye} onChange=${setEye} options=${[{ value: 0, label: t("replay.eye.all") }, ...[1, 2, 3, 4].map((seat) => ({ value: seat, label: name(seat) }))]} />
      <${Moves} record=${record} frames=${frames} at=${at} onGo=${(/** @type {number} */ to) => { setPlaying(false); setAt(to); }} />
      <${ShuffleCheck} record=${record} />
      <section aria-labelledby="whole-match"><h2 id="whole-match">${t("replay.match")}</h2>
        <${RulesLine} record=${record} />
        <${MatchChart} hands=${hands} now=${frame.hand + 1} />
        <${HandTable} hands=${hands} seats=${seats} mySeat=${null} /></section>
      <div class="row">
        ${path && html`<${Copy} text=${`${location.origin}${path}#${frame.hand + 1}-${at - first + 1}`}>${t("replay.share")}<//>`}
        <${Button} kind="quiet" onClick=${() => save(text, opened.name)}>${t("replay.save")}<//></div>
      <p class="soft keys-line">${t("replay.keys")}</p>
    </div>
  </div>`;
}

/** What was decided at a moment, and what the review holds to be better. @param {Moment} moment */
function judgedText({ decision: { played, best } }) {
  const text = (/** @type {Hint} */ { reading }) => (reading ? readingText(reading) : t("say.pass.short"));
  return t("replay.judged", { played: text(played), best: text(best), expert: t("level.expert") });
}

/** @param {string} text @param {string} name */
function save(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.endsWith(".txt") ? name : `guandan-${name}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Which rules were played, and what they change in their preset. @param {{ record: MatchRecord }} props */
function RulesLine({ record }) {
  const names = differences(record.options, valuesIn(record.preset));
  const changes = Object.fromEntries(names.map((name) => [name, /** @type {OptionValue} */ (record.options[name] ?? null)]));
  return html`<p>${t("replay.rules", { name: choiceText({ preset: record.preset, options: changes }) })}
    ${names.length > 0 && html`<br /><span class="soft">${names.map((name) => `${optionText(name)}: ${valueText(name, record.options[name])}`).join(" · ")}</span>`}</p>`;
}

/** Every move of the hand, trick by trick; each leads to its moment.
 * @param {{ record: MatchRecord, frames: Frame[], at: number, onGo: (at: number) => void }} props */
function Moves({ record, frames, at, onGo }) {
  const hand = frames[at]?.hand;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const now = box.current?.querySelector('[aria-current="step"]');
    if (!(now instanceof HTMLElement) || !box.current) return;
    // Not scrollIntoView, which would move the page under whoever looks at the table.
    box.current.scrollTop = now.offsetTop - box.current.clientHeight / 2;
  }, [at]);
  /** @type {{ trick: number, items: { i: number, frame: Frame }[] }[]} */
  const tricks = [];
  frames.forEach((frame, i) => {
    if (frame.hand !== hand) return;
    if (tricks.at(-1)?.trick !== frame.trick) tricks.push({ trick: frame.trick, items: [] });
    tricks.at(-1)?.items.push({ i, frame });
  });
  return html`<details class="rp-moves panel"><summary>${t("replay.moves")}</summary><div class="rp-moves-list" ref=${box}>
    ${tricks.map(({ trick, items }) => html`<section key=${trick}><h3>${trick ? t("replay.trick", { n: trick }) : t("replay.before")}</h3>
      <ol>${items.map(({ i, frame }) => html`<li key=${i}><button type="button" class=${frame.step.move?.t === "pass" ? "rp-move soft" : "rp-move"} aria-current=${i === at ? "step" : undefined}
        onClick=${() => onGo(i)}>${shortText(record, frame)}</button></li>`)}</ol></section>`)}
  </div></details>`;
}
