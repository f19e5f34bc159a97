// What comes later: screens and dialogs when somebody opens them, and the table's extras once it is up.
import { html, signal, useEffect, useState } from "./vendor/ui.js";

/** @type {Map<() => Promise<any>, any>} */
const known = new Map();

/**
 * Draws what `load` fetches, and `meanwhile` until it is there; the other props are passed on.
 * @param {{ load: () => Promise<any>, meanwhile?: any, [prop: string]: any }} props
 */
export function Later({ load, meanwhile = null, ...props }) {
  const [, setAt] = useState(0);
  useEffect(() => {
    const there = (/** @type {any} */ part) => (known.set(load, part), setAt((at) => at + 1));
    // Modules of an older build are gone from a newer server: begin anew with it.
    if (!known.has(load)) load().then(there, () => location.reload());
  }, [load]);
  const Part = known.get(load);
  return Part ? html`<${Part} ...${props} />` : meanwhile;
}

const RETRY_MS = 3000;

/** What a table has beyond its first trick; null until it is there.
 * @type {import("./vendor/ui.js").Signal<typeof import("./extras.js") | null>} */
export const extras = signal(null);
/** @type {Promise<void> | null} */
let fetching = null;

/** Fetch the extras, and try again for as long as the server is away: a table can be played without. */
export function fetchExtras() {
  fetching ??= import("./extras.js").then(
    (module) => void (extras.value = module),
    () => {
      fetching = null;
      setTimeout(fetchExtras, RETRY_MS);
    },
  );
  return fetching;
}

/** When the browser has nothing better to do, and soon anyway. @param {() => void} then */
export function whenIdle(then) {
  if ("requestIdleCallback" in window) requestIdleCallback(then, { timeout: 1000 });
  else setTimeout(then, 200);
}
