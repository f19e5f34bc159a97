// Where each column of the hand stands, and how large its cards are: from the room there is.

/** @import { Column } from "./sorting.js" */

/**
 * @typedef {object} Layout
 * @property {number} w  Width of a card.
 * @property {number} step  From one card of a column to the next.
 * @property {number} height  Of the whole hand.
 * @property {{ column: Column, x: number, y: number, row: number }[]} slots
 */

export const RATIO = 1.36;
/** How far a taken card rises. */
export const LIFT = 8;
const GAP = 10;
const ROW_GAP = 11;
/** A screen that may fold has one row up to here, if its columns are not too narrow for a thumb. */
const ONE_ROW = 9;
const THUMB = 38;

/** How large a card of the hand is at most, on a screen like this. @param {number} width @param {number} height */
export function largest(width, height) {
  if (width < height) return width < 600 ? 62 : 84;
  return height < 500 ? 58 : Math.min(104, Math.max(60, Math.round(height * 0.0925)));
}

/**
 * @param {Column[]} columns
 * @param {{ width: number, cap: number, mayFold: boolean, isFan: boolean, heightMax: number }} room
 * @returns {Layout}
 */
export function layOut(columns, { width, cap, mayFold, isFan, heightMax }) {
  const rows = fold(columns, mayFold && columns.length > Math.min(ONE_ROW, Math.floor(width / THUMB)));
  const longest = Math.max(1, ...rows.map((row) => row.length));
  const gaps = Math.max(0, ...rows.map((row) => row.filter((column, i) => column.gap && i).length));
  const gap = width < 360 ? GAP / 2 : GAP;
  const room = width - gaps * gap;
  const deep = rows.map((row) => Math.max(1, ...row.map((column) => column.cards.length)));
  const steps = deep.reduce((sum, n) => sum + n - 1, 0);
  const inHeight = (heightMax - rows.length * (LIFT + ROW_GAP)) / (rows.length * RATIO + steps * 0.5);
  const smallest = isFan ? Math.min(cap, width < 360 ? 40 : 50) : Math.min(cap, 38);
  const w = Math.floor(Math.max(smallest, Math.min(cap, inHeight, (room - (longest - 1)) / longest)));
  const pitch = longest > 1 ? Math.min(isFan ? w * 0.62 : w + 1, (room - w) / (longest - 1)) : w;
  const fixed = rows.length * (w * RATIO + LIFT) + (rows.length - 1) * (ROW_GAP - LIFT);
  const step = Math.max(w * 0.42, Math.min(w * 0.56, steps ? (heightMax - fixed) / steps : w));
  /** @type {Layout["slots"]} */
  const slots = [];
  let y = 0;
  rows.forEach((row, r) => {
    const tallest = deep[r] ?? 1;
    const spare = width - (row.length - 1) * pitch - w - row.filter((column, i) => column.gap && i).length * gap;
    let x = spare / 2;
    row.forEach((column, i) => {
      if (column.gap && i) x += gap;
      slots.push({ column, x: Math.round(x), y: Math.round(y + LIFT + (tallest - column.cards.length) * step), row: r });
      x += pitch;
    });
    y += LIFT + w * RATIO + (tallest - 1) * step + ROW_GAP - LIFT;
  });
  return { w, step, height: Math.ceil(y - ROW_GAP + LIFT), slots };
}

/** One row or two; a part of the hand is rather not torn. @param {Column[]} columns @param {boolean} isTwo @returns {Column[][]} */
function fold(columns, isTwo) {
  if (!isTwo) return columns.length ? [columns] : [];
  const half = Math.ceil(columns.length / 2);
  const seam = columns.findIndex((column, i) => column.gap && Math.abs(i - half) <= 1 && i > 0);
  const at = seam > 0 ? seam : half;
  return [columns.slice(0, at), columns.slice(at)];
}
