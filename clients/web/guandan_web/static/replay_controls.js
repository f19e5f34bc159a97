// Moving through a match: by steps, tricks and hands, by hand or by itself.
import { html, useEffect } from "./vendor/ui.js";
import { jump } from "./frames.js";
import { Button, Icon } from "./kit.js";
import { rankText } from "./cards.js";
import { t } from "./text.js";
import "./icons.js";

/** @import { Frame } from "./frames.js" */
/** @import { MatchRecord } from "./record.js" */

const STEP_MS = 1400;
const SPEEDS = [0.5, 1, 2, 4];

/** @param {EventTarget | null} target Does it use keys itself? What scrolls does, once it has the focus. */
const usesKeys = (target) => target instanceof Element && !!target.closest("input, select, textarea, dialog, .scroll-x");

/**
 * @param {{ record: MatchRecord, frames: Frame[], at: number, onGo: (to: number | ((now: number) => number)) => void, isPlaying: boolean,
 *   onPlay: (isPlaying: boolean) => void, speed: number, onSpeed: (speed: number) => void }} props
 */
export function Controls({ record, frames, at, onGo, isPlaying, onPlay, speed, onSpeed }) {
  const last = frames.length - 1;
  const hand = frames[at]?.hand ?? 0;
  const first = frames.findIndex((frame) => frame.hand === hand);
  const count = frames.filter((frame) => frame.hand === hand).length;
  const move = (/** @type {1 | -1} */ by, /** @type {"step" | "trick" | "hand"} */ unit) => {
    onPlay(false);
    // From where it is by then: keys that are held down come faster than the page is drawn.
    onGo((now) => jump(frames, now, by, unit));
  };
  const toggle = () => {
    if (!isPlaying && at === last) onGo(0);
    onPlay(!isPlaying);
  };

  useEffect(() => {
    if (!isPlaying) return;
    if (at === last) {
      onPlay(false);
      return;
    }
    const timer = setTimeout(() => onGo(at + 1), STEP_MS / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, at, speed]);

  useEffect(() => {
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => move(-1, "step"),
      ArrowRight: () => move(1, "step"),
      ArrowUp: () => move(-1, "trick"),
      ArrowDown: () => move(1, "trick"),
      PageUp: () => move(-1, "hand"),
      PageDown: () => move(1, "hand"),
      Home: () => onGo(0),
      End: () => onGo(last),
      " ": toggle,
    };
    const hear = (/** @type {KeyboardEvent} */ event) => {
      const act = keys[event.key];
      if (!act || usesKeys(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      // A button or link that has the focus is pressed by the space bar itself.
      if (event.key === " " && event.target instanceof Element && event.target.closest("button, a, summary")) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  });

  const press = (/** @type {string} */ label, /** @type {string} */ icon, /** @type {1 | -1} */ by, /** @type {"step" | "trick" | "hand"} */ unit) =>
    html`<${Button} kind="quiet" class="icon" label=${t(label)} title=${t(label)} disabled=${by < 0 ? at === 0 : at === last} onClick=${() => move(by, unit)}><${Icon} name=${icon} /><//>`;
  return html`<div class="rp-controls" role="group" aria-label=${t("replay.title")}>
    <input type="range" class="rp-scrub" min="0" max=${count - 1} value=${at - first} aria-label=${t("replay.moves")} aria-valuetext=${t("replay.step", { n: at - first + 1, of: count })}
      onInput=${(/** @type {any} */ event) => { onPlay(false); onGo(first + Number(event.currentTarget.value)); }} />
    <div class="rp-row">
      ${press("replay.hand.back", "first", -1, "hand")}
      ${press("replay.trick.back", "rewind", -1, "trick")}
      ${press("replay.back", "back", -1, "step")}
      <${Button} kind="primary" class="icon play-pause" label=${t(isPlaying ? "replay.pause" : "replay.play")} onClick=${toggle}><${Icon} name=${isPlaying ? "pause" : "play"} /><//>
      ${press("replay.on", "forward", 1, "step")}
      ${press("replay.trick.on", "fast", 1, "trick")}
      ${press("replay.hand.on", "last", 1, "hand")}
    </div>
    <div class="rp-row is-more">
      <select class="hand-pick" aria-label=${t("replay.hand.pick")} value=${String(hand)} onChange=${(/** @type {any} */ event) => { onPlay(false); onGo(frames.findIndex((frame) => frame.hand === Number(event.currentTarget.value))); }}>
          ${record.hands.map((one, i) => html`<option key=${i} value=${String(i)} selected=${i === hand}>${t("replay.hand.item", { n: one.number, level: rankText(one.level) })}</option>`)}
      </select>
      <${Button} kind="quiet" label=${`${t("replay.speed")}: ${t("replay.times", { n: speed })}`} title=${t("replay.speed")}
        onClick=${() => onSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1)}>${t("replay.times", { n: speed })}<//>
    </div>
  </div>`;
}
