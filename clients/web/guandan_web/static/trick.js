// The trick on the table, and the one before it. A view says what each seat did last; who led, and what
// lay there when the trick closed, is remembered from the events.
import { computed, effect, signal } from "./vendor/ui.js";
import { note } from "./notice.js";
import { onEvents, table } from "./table.js";
import { t } from "./text.js";

/** @import { Offer, Public, Seat, TableEvent } from "./types.js" */

/** @typedef {(null | "pass" | Offer)[]} Shown */

/** The last trick that closed in this hand, and who won it. @type {import("./vendor/ui.js").Signal<{ shown: Shown, winner: Seat } | null>} */
export const lastTrick = signal(null);

const led = signal(/** @type {Seat | null} */ (null));
/** @type {Shown} */
let lying = [null, null, null, null];

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
  lying = merged(update.public);
});

/** @param {TableEvent} event */
function follow(event) {
  if (event.t === "dealt") {
    lastTrick.value = led.value = null;
    lying = [null, null, null, null];
  } else if (event.t === "played") {
    led.value ??= event.seat;
    lying = lying.with(event.seat - 1, { cards: event.cards, reading: event.reading, shown_as: [] });
  } else if (event.t === "passed") {
    lying = lying.with(event.seat - 1, "pass");
  } else if (event.t === "trick_closed") {
    lastTrick.value = { shown: lying, winner: event.winner };
    led.value = null;
    lying = [null, null, null, null];
  }
}

/** The view knows better, above all what wild cards stand for. @param {Public} view @returns {Shown} */
const merged = (view) => (view.shown.some(Boolean) ? view.shown : lying);

/** A table that was come to in the middle: who led is the first after a seat that did nothing yet. */
effect(() => {
  const now = table.value?.public;
  if (!now || led.peek() || !now.shown.some(Boolean)) return;
  const first = now.shown.findIndex((one, i) => one && !now.shown[(i + 3) % 4]);
  if (first >= 0) led.value = /** @type {Seat} */ (first + 1);
  lying = now.shown;
});

/** Who led the open trick; null while nobody has, or where that cannot be known. */
export const leader = computed(() => (table.value?.public.top ? led.value : null));

/** What lies at the seats: the open trick; before somebody leads, the last one, fading. */
export const onTable = computed(() => {
  const now = table.value?.public;
  const isOpen = !!now?.shown.some(Boolean);
  const isPast = !!lastTrick.value && (looksBack.value || (!isOpen && now?.phase === "leading") || (now?.phase === "hand_over" || now?.phase === "match_over") && !isOpen);
  if (isPast && lastTrick.value) return { shown: lastTrick.value.shown, isPast: true };
  return { shown: isOpen && now ? now.shown : lying, isPast: !isOpen };
});
