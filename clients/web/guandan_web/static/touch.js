// Fingers, mouse and pen on the hand. A tap takes one more; a swipe across columns takes one of each,
// down a column all of it; a long press opens the column. A mouse on an index strip means that card.
import { giving, opened, putBack, takeAll, takeOne, toggle } from "./choosing.js";
import { LIFT } from "./geometry.js";
import { taken } from "./table.js";

/** @import { HeldCard } from "./types.js" */
/** @import { Column } from "./sorting.js" */

const SLOP = 10;
const LONG_MS = 450;

/**
 * The handlers of a hand. It is told afresh what is where with each drawing.
 * @param {{ columns: Column[], step: number }} shown
 * @param {{ press: any, handledAt: number }} memory  Survives a drawing.
 */
export function gestures({ columns, step }, memory) {
  /** @param {PointerEvent} event */
  function under(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-column]");
    const column = columns.find((one) => one.key === element?.getAttribute("data-column"));
    if (!element || !column) return null;
    const y = event.clientY - element.getBoundingClientRect().top;
    const last = column.cards.length - 1;
    let i = Math.max(0, Math.min(last, Math.floor(y / step)));
    // A taken card stands higher than its place.
    const below = column.cards[i + 1];
    if (below && taken.value.has(below.id) && y >= (i + 1) * step - LIFT) i += 1;
    return { column, card: /** @type {HeldCard} */ (column.cards[i]), isStrip: y - i * step < step, isFront: i === last };
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (!event.isPrimary || event.button) return;
    const spot = under(event);
    if (!spot) return;
    const { column } = spot;
    const press = { x: event.clientX, y: event.clientY, spot, swept: /** @type {Set<string> | null} */ (null), isPut: false, timer: 0, isOver: false };
    memory.press = press;
    if (column.cards.length > 1 && !giving.value) {
      press.timer = window.setTimeout(() => {
        press.isOver = true;
        opened.value = column.key;
        navigator.vibrate?.(15);
      }, LONG_MS);
    }
  }

  /** @param {PointerEvent} event */
  function move(event) {
    const press = memory.press;
    // A mouse that was let go elsewhere comes back without a button.
    if (press && event.pointerType === "mouse" && !event.buttons) return cancel();
    if (!press || press.isOver || giving.value) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (Math.hypot(dx, dy) < SLOP) return;
    clearTimeout(press.timer);
    const spot = under(event);
    const { column } = press.spot;
    if (!press.swept && spot?.column.key === column.key) {
      if (column.cards.length < 2 || dy < Math.max(24, step)) return;
      takeAll(column.cards);
      press.isOver = true;
      return;
    }
    if (!press.swept) {
      press.isPut = column.cards.some((/** @type {HeldCard} */ card) => taken.value.has(card.id));
      press.swept = new Set();
      sweep(press, column);
    }
    if (spot) sweep(press, spot.column);
  }

  /** @param {{ swept: Set<string>, isPut: boolean }} press @param {Column} column */
  function sweep(press, column) {
    if (press.swept.has(column.key)) return;
    press.swept.add(column.key);
    if (press.isPut) putBack(column.cards);
    else if (!column.cards.every((card) => taken.value.has(card.id))) takeOne(column.cards);
  }

  /** @param {PointerEvent} event */
  function up(event) {
    const press = memory.press;
    if (!press) return;
    clearTimeout(press.timer);
    memory.press = null;
    memory.handledAt = event.timeStamp;
    if (press.isOver || press.swept) return;
    tap(press.spot, event.pointerType === "mouse");
  }

  function cancel() {
    clearTimeout(memory.press?.timer);
    memory.press = null;
  }

  return {
    onPointerDown: down,
    onPointerMove: move,
    onPointerUp: up,
    onPointerCancel: cancel,
    onContextMenu: (/** @type {Event} */ event) => event.preventDefault(),
  };
}

/** @param {{ column: Column, card: HeldCard, isStrip: boolean, isFront: boolean }} spot @param {boolean} isExact */
function tap({ column, card, isStrip, isFront }, isExact) {
  if (isStrip && isExact) toggle(card);
  else if (taken.value.has(card.id) && !isFront) putBack([card]);
  else press(column);
}

/** A column as a button: one more of it, or all of what it makes together. @param {Column} column */
export function press(column) {
  if (column.group) takeAll(column.cards);
  else takeOne(column.cards);
}
