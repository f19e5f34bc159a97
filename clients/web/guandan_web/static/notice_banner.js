// What was said, where the line above the buttons is not: to who looks on, in a pause, after a hand.
import { computed, html, useEffect } from "./vendor/ui.js";
import { autopilot } from "./autopilot.js";
import { notice } from "./notice.js";
import { isHandOver, mySeat, table } from "./table.js";

const SHOWN_MS = 8000;

const hasLine = computed(() => mySeat.value !== null && table.value?.view.stage === "playing" && !isHandOver.value && !autopilot.value);

export function NoticeBanner() {
  const said = hasLine.value ? null : notice.value;
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => notice.peek() === said && (notice.value = null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return said && html`<section class="banner said" role="alert"><p class=${said.tone}>${said.text}</p></section>`;
}
