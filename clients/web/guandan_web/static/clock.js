// The clock of the decision that is asked for. It is told as what is left, runs down here, and stands
// still and grey while the link is lost: nobody knows then what is left.
import { html, useEffect, useState } from "./vendor/ui.js";
import { link, table } from "./table.js";
import { t } from "./text.js";

const TICK_MS = 200;
const HURRY_S = 5;

/** Seconds that are left; null without a clock. It draws its component anew as it runs. */
export function useSecondsLeft() {
  const ends = table.value?.clockEnds ?? null;
  const isRunning = ends !== null && link.value.state === "on";
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [ends, isRunning]);
  return ends === null ? null : Math.max(0, Math.ceil((ends - now) / 1000));
}

export function Clock() {
  const left = useSecondsLeft();
  if (left === null) return html`<span class="clock none" aria-hidden="true"></span>`;
  const isFrozen = link.value.state !== "on";
  const total = table.value?.view.settings.clock_s ?? 30;
  const kind = isFrozen ? "frozen" : left <= HURRY_S ? "hurry" : "";
  return html`<span class=${`clock ${kind}`} role="timer" aria-label=${t("clock.left", { n: left })} style=${{ "--part": `${Math.min(1, left / total)}` }}>
    <b aria-hidden="true">${left}</b></span>`;
}
