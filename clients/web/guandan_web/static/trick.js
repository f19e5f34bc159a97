// The trick on the table, and the one before it. A view says what each seat did last; who led, and what
// lay there when the trick closed, is remembered from the events.
import { computed, effect, signal, untracked } from "./vendor/ui.js";
import { note } from "./notice.js";
import { arrival, onEvents, onReturn, table } from "./table.js";
import { t } from "./text.js";

/** @import { Offer, Public, Seat, TableEvent } from "./types.js" */

/** @typedef {(null | "pass" | Offer)[]} Shown */

/** The last trick that closed in this hand, and who won it. @type {import("./vendor/ui.js").Signal<{ shown: Shown, winner: Seat } | null>} */
export const lastTrick = signal(null);

const led = signal(/** @type {Seat | null} */ (null));
/** @type {Shown} */
const NOTHING = [null, null, null, null];
/** What lies there, from the events; it outlasts the views at the end of a hand. */
const lying = signal(NOTHING);

/** Whether the last trick is shown again, by a key. */
export const looksBack = signal(false);

/** The last trick again, or the open one; each thing that happens brings back the open one. */
export function lookBack() {
  if (lastTrick.value) looksBack.value = !looksBack.value;
  else note(t("trick.none"), "hint");
}

onEvents((events, update) => {
  looksBack.value = false;
  for (const event of events) follow(event);
  lying.value = merged(update.public);
});

/** @param {TableEvent} event */
function follow(event) {
  if (event.t === "dealt") {
    lastTrick.value = led.value = null;
    lying.value = NOTHING;
  } else if (event.t === "played") {
    led.value ??= event.seat;
    lying.value = lying.value.with(event.seat - 1, { cards: event.cards, reading: event.reading, shown_as: [] });
  } else if (event.t === "passed") {
    lying.value = lying.value.with(event.seat - 1, "pass");
  } else if (event.t === "trick_closed") {
    lastTrick.value = { shown: lying.value, winner: event.winner };
    led.value = null;
    lying.value = NOTHING;
  }
}

/** The view knows better, above all what wild cards stand for. @param {Public} view @returns {Shown} */
const merged = (view) => (view.shown.some(Boolean) ? view.shown : lying.value);

/** In a trick that was come to in the middle who led is the first after a seat that did nothing yet.
 * @param {Public | undefined} now */
function gather(now) {
  if (!now || led.peek() || !now.shown.some(Boolean)) return;
  const first = now.shown.findIndex((one, i) => one && !now.shown[(i + 3) % 4]);
  if (first >= 0) led.value = /** @type {Seat} */ (first + 1);
  lying.value = now.shown;
}

effect(() => gather(table.value?.public));

/** What was remembered is of another moment, or of another table: no events told of what came between. */
function beginAnew() {
  lastTrick.value = null;
  looksBack.value = false;
  lying.value = NOTHING;
  led.value = null;
  gather(table.peek()?.public);
}

onReturn(beginAnew);
effect(() => {
  if (arrival.value) untracked(beginAnew);
});

/** Who led the open trick; null while nobody has, or where that cannot be known. */
export const leader = computed(() => (table.value?.public.top ? led.value : null));

/** What lies at the seats: the open trick, also the one that a hand ended in; before somebody leads,
 * the last one, fading. */
export const onTable = computed(() => {
  const now = table.value?.public;
  const isOpen = !!now?.shown.some(Boolean);
  const hasEnded = now?.phase === "hand_over" || now?.phase === "match_over";
  const before = lastTrick.value?.shown;
  if (before && looksBack.value) return { shown: before, isPast: true };
  if (now && isOpen) return { shown: now.shown, isPast: false };
  if (hasEnded && lying.value.some(Boolean)) return { shown: lying.value, isPast: false };
  if (before && (hasEnded || now?.phase === "leading")) return { shown: before, isPast: true };
  return { shown: lying.value, isPast: true };
});
