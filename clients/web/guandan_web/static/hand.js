// The own hand: columns of cards to be taken by tap, swipe, mouse or key.
import { computed, effect, html, signal, useEffect, useLayoutEffect, useRef } from "./vendor/ui.js";
import { Card } from "./card.js";
import { cardText, isWild, rankOf, rankText, readingText } from "./cards.js";
import { opened, putOneBack, toggle } from "./choosing.js";
import { largest, layOut, LIFT, RATIO } from "./geometry.js";
import { worth } from "./hints.js";
import { settings } from "./settings.js";
import { columnsOf } from "./sorting.js";
import { hand, level, taken } from "./table.js";
import { t } from "./text.js";
import { gestures, press } from "./touch.js";

/** @import { Column } from "./sorting.js" */

/** The window, and the room that the hand has in it. */
export const room = signal({ width: innerWidth, height: innerHeight, hand: innerWidth });
addEventListener("resize", () => (room.value = { ...room.value, width: innerWidth, height: innerHeight }));

export const isPortrait = computed(() => room.value.width < room.value.height);

export const columns = computed(() => columnsOf(hand.value, level.value, settings.value.sort, settings.value.layout === "fan"));

/** Do cards overlap from side to side? */
const isFan = computed(() => settings.value.layout === "fan" || settings.value.sort === "suit");

const layout = computed(() => {
  const { width, height, hand: wide } = room.value;
  return layOut(columns.value, {
    width: wide,
    cap: largest(width, height),
    mayFold: isPortrait.value && width < 700,
    isFan: isFan.value,
    heightMax: height * (isPortrait.value ? (height < 600 ? 0.33 : height < 700 ? 0.35 : 0.38) : 0.42),
  });
});

/** The column that the arrow keys are at. */
const at = signal("");

/** The column that Tab comes to. */
const current = computed(() => (columns.value.some((one) => one.key === at.value) ? at.value : (columns.value[0]?.key ?? "")));

/** A column in words: what it is, how many, how many taken. @param {Column} column */
function label({ cards, group }) {
  const first = cards[0];
  if (!first) return "";
  const inIt = cards.filter((card) => taken.value.has(card.id)).length;
  const isOne = cards.every((card) => card.face === first.face);
  const what = group ? readingText(group) : isOne || isWild(first.face, level.value) ? cardText(first.face, level.value) : rankText(rankOf(first.face));
  return t("hand.column", { what, n: cards.length, in: inIt });
}

/** @param {{ column: Column, x: number, y: number, w: number, step: number }} props */
function ColumnButton({ column, x, y, w, step }) {
  const { cards } = column;
  const inIt = cards.filter((card) => taken.value.has(card.id)).length;
  const isDim = worth.value !== null && !cards.some((card) => worth.value?.has(card.face));
  const classes = ["column", isDim ? "dim" : "", inIt ? "some" : ""].filter(Boolean).join(" ");
  return html`<button type="button" class=${classes} data-column=${column.key} aria-label=${label(column)}
    tabindex=${column.key === current.value ? 0 : -1} onFocus=${() => (at.value = column.key)}
    style=${{ transform: `translate(${x}px, ${y}px)`, width: `${w}px`, height: `${w * RATIO + (cards.length - 1) * step}px` }}>
    ${cards.map((card, i) => html`<span key=${card.id} data-id=${card.id} class=${taken.value.has(card.id) ? "held taken" : "held"} style=${{ top: `${i * step}px` }}>
      <${Card} face=${card.face} level=${level.value} /></span>`)}
    ${inIt > 0 && cards.length > 1 && html`<span class="in" aria-hidden="true">${t("hand.in", { n: inIt })}</span>`}
  </button>`;
}

export function Hand() {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  const memory = useRef({ press: null, handledAt: -1e9 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => (room.value = { ...room.value, hand: element.clientWidth });
    // At once, or the first frame has cards beyond the edge; the observer comes after a frame.
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const { w, step, height, slots } = layout.value;
  return html`<div class=${isFan.value ? "hand is-fan" : "hand"} ref=${ref} role="group" aria-label=${t("hand.label", { n: hand.value.length })}
    style=${{ height: `${height}px`, "--w": `${w}px`, "--lift": `${Math.min(LIFT, step / 4)}px` }} onKeyDown=${onKey}
    onClick=${(/** @type {MouseEvent} */ event) => onClick(event, memory.current)} ...${gestures({ columns: columns.value, step }, memory.current)}>
    ${slots.map(({ column, x, y }) => html`<${ColumnButton} key=${column.key} column=${column} x=${x} y=${y} w=${w} step=${step} />`)}
    ${opened.value && html`<${Chooser} slot=${slots.find((one) => one.column.key === opened.value)} width=${room.value.hand} />`}
  </div>`;
}

/** A click that no pointer made: a key's, or that of a screen reader. @param {MouseEvent} event @param {{ handledAt: number }} memory */
function onClick(event, memory) {
  if (event.timeStamp - memory.handledAt < 700 && event.detail) return;
  const key = /** @type {HTMLElement} */ (event.target).closest("[data-column]")?.getAttribute("data-column");
  const column = columns.value.find((one) => one.key === key);
  if (column) press(column);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const i = columns.value.findIndex((one) => one.key === current.value);
  const column = columns.value[i];
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by && column) focusColumn(columns.value[(i + by + columns.value.length) % columns.value.length]);
  else if (event.key === "Home") focusColumn(columns.value[0]);
  else if (event.key === "End") focusColumn(columns.value.at(-1));
  else if (event.key === "ArrowUp" && column) press(column);
  else if (event.key === "ArrowDown" && column) putOneBack(column.cards);
  else return;
  event.preventDefault();
}

/** @param {Column | undefined} column */
export function focusColumn(column) {
  if (!column) return;
  at.value = column.key;
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-column="${CSS.escape(column.key)}"]`))?.focus();
}

// A column that was played takes the focus with it: its neighbour gets it.
effect(() => {
  columns.value;
  const focused = document.activeElement?.closest?.("[data-column]");
  if (!focused) return;
  const key = focused.getAttribute("data-column");
  if (columns.peek().some((one) => one.key === key)) return;
  setTimeout(() => !document.activeElement?.closest("[data-column]") && document.activeElement === document.body && focusColumn(columns.peek().find((one) => one.key === current.peek())), 30);
});

/** The cards of one column side by side, to take the very ones that are wanted.
 * @param {{ slot: import("./geometry.js").Layout["slots"][number] | undefined, width: number }} props */
function Chooser({ slot, width }) {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    /** @param {Event} event */
    const away = (event) => ref.current?.contains(/** @type {Node} */ (event.target)) || (opened.value = "");
    addEventListener("pointerdown", away);
    ref.current?.querySelector("button")?.focus();
    return () => removeEventListener("pointerdown", away);
  }, []);
  if (!slot) return null;
  const { cards } = slot.column;
  const wide = cards.length * 58 + 16;
  const x = Math.max(0, Math.min(width - wide, slot.x - wide / 2 + 24));
  const stop = (/** @type {Event} */ event) => event.stopPropagation();
  return html`<div class="chooser" ref=${ref} role="group" aria-label=${t("hand.choose")} style=${{ left: `${x}px`, top: `${slot.y - 92}px` }}
    onPointerDown=${stop} onPointerUp=${stop} onClick=${stop} onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && (stop(event), (opened.value = ""))}>
    ${cards.map((card) => html`<button type="button" key=${card.id} aria-pressed=${String(taken.value.has(card.id))} class=${taken.value.has(card.id) ? "taken" : ""}
      aria-label=${cardText(card.face, level.value)} onClick=${() => toggle(card)}><${Card} face=${card.face} level=${level.value} /></button>`)}
  </div>`;
}
