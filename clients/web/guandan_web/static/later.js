// What comes later: screens and dialogs when somebody opens them, and the table's extras once it is up.
import { html, signal, useEffect, useState } from "./vendor/ui.js";

/** @type {Map<() => Promise<any>, any>} */
const known = new Map();

const RETRY_MS = 3000;

/** Would beginning anew lose what can still be seen? The table says. */
let isHeld = () => false;
/** @param {typeof isHeld} held */
export const holdBack = (held) => void (isHeld = held);

/** With what this tab remembers; where it remembers nothing, nothing is done. @param {(memory: Storage) => void} then */
function inTab(then) {
  try {
    then(sessionStorage);
  } catch {
    // A page that cannot know how often it has begun anew had better not.
  }
}

/** Load the page anew, once for each reason: it may be of no help. @param {string} reason */
export const beginAnew = (reason) =>
  inTab((memory) => {
    if (isHeld() || memory.getItem(reason)) return;
    memory.setItem(reason, "tried");
    location.reload();
  });

const isThere = () => fetch("/build", { cache: "no-store" }).then(({ ok }) => ok && !isHeld(), () => false);

/**
 * What `load` fetches, however long the server is away; undefined once it is not wanted any more.
 * A browser may remember that a module could not be fetched, and one of an older build is gone for
 * good: if asking again does not help, the page begins anew.
 * @template T
 * @param {() => Promise<T>} load  Its own text is the same on the next page, and names the module.
 * @param {() => boolean} isWanted
 * @param {() => void} [onMissing]
 * @returns {Promise<T | undefined>}
 */
async function fetched(load, isWanted, onMissing) {
  for (let isAgain = false; ; isAgain = true) {
    try {
      const part = await load();
      inTab((memory) => memory.removeItem(`${load}`));
      return part;
    } catch {
      onMissing?.();
    }
    if (isAgain && isWanted()) beginAnew(`${load}`);
    do await new Promise((done) => setTimeout(done, RETRY_MS));
    while (isWanted() && !(await isThere()));
    if (!isWanted()) return undefined;
  }
}

/**
 * Draws what `load` fetches, and `meanwhile` until it is there; the other props are passed on.
 * @param {{ load: () => Promise<any>, meanwhile?: any, [prop: string]: any }} props
 */
export function Later({ load, meanwhile = null, ...props }) {
  const [, setAt] = useState(0);
  useEffect(() => {
    if (known.has(load)) return undefined;
    let isWanted = true;
    fetched(load, () => isWanted).then((part) => part && (known.set(load, part), setAt((at) => at + 1)));
    return () => void (isWanted = false);
  }, [load]);
  const Part = known.get(load);
  return Part ? html`<${Part} ...${props} />` : meanwhile;
}

/** What a table has beyond its first trick; null until it is there.
 * @type {import("./vendor/ui.js").Signal<typeof import("./extras.js") | null>} */
export const extras = signal(null);
/** @type {Promise<void> | null} */
let fetching = null;
const load = () => import("./extras.js");
/** Elsewhere the extras are fetched ahead of need, and nobody is disturbed for them. */
const isAtTable = () => /^.(r|watch)\//.test(location.pathname);

/** Fetch the extras: settled when they are there, or missing for now, as a table can be played without. */
export function fetchExtras() {
  fetching ??= new Promise((resolve) => {
    fetched(load, isAtTable, resolve).then((module) => {
      if (module) extras.value = module;
      else fetching = null;
      resolve();
    });
  });
  return fetching;
}

/** When the browser has nothing better to do, and soon anyway. @param {() => void} then */
export function whenIdle(then) {
  if ("requestIdleCallback" in window) requestIdleCallback(then, { timeout: 1000 });
  else setTimeout(then, 200);
}
