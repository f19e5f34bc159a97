// What this browser remembers: how the table looks and sounds, the player's name, the seats held.
import { effect, signal } from "./vendor/ui.js";

const KEY = "guandan";

/** @type {{
 *   lang: "" | "en" | "zh", name: string, layout: "columns" | "fan", dim: boolean, fourColour: boolean,
 *   sound: boolean, voice: boolean, vibrate: boolean, motion: "full" | "quick" | "off", autoPass: boolean,
 *   preset: string, options: Record<string, import("./types.js").OptionValue>, table: Partial<import("./types.js").Settings>,
 *   bots: string, noClock: boolean, rail: boolean, muted: string[], sort: "rank" | "suit" | "combo",
 * }} */
const DEFAULTS = {
  lang: "",
  name: "",
  layout: "columns",
  dim: true,
  fourColour: false,
  sound: true,
  voice: false,
  vibrate: false,
  motion: "full",
  autoPass: false,
  preset: "tournament",
  options: {},
  table: {},
  bots: "",
  noClock: false,
  rail: true,
  muted: [],
  sort: "rank",
};

/** A value of the browser's store; private windows and full disks have none.
 * @param {string} key @param {any} [fallback] */
function read(key, fallback = {}) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Not remembered, then; everything else works.
  }
}

export const settings = signal({ ...DEFAULTS, ...read(KEY) });

/** @param {Partial<typeof DEFAULTS>} changes */
export function set(changes) {
  settings.value = { ...settings.value, ...changes };
}

effect(() => {
  write(KEY, settings.value);
  const root = document.documentElement;
  root.classList.toggle("four-colour", settings.value.fourColour);
  root.dataset.motion = isCalm() ? "off" : settings.value.motion;
});

/** Does the player want nothing to move? */
export function isCalm() {
  return settings.value.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

const SEATS = "guandan.seats";
/** Rooms are kept for about a month after the last visit. */
const SEATS_KEPT_MS = 35 * 24 * 3600 * 1000;

/** A seat that this browser can come back to.
 * @typedef {{ room: string, token: string, seat: number, name: string, at: number, line: string }} SavedSeat */

/** @returns {SavedSeat[]} Newest first. */
export function savedSeats() {
  const all = /** @type {SavedSeat[]} */ (Object.values(read(SEATS)));
  return all.filter((one) => Date.now() - one.at < SEATS_KEPT_MS).sort((a, b) => b.at - a.at);
}

/** @param {string} room */
export function savedSeat(room) {
  return savedSeats().find((one) => one.room === room) ?? null;
}

/** @param {SavedSeat} seat */
export function saveSeat(seat) {
  write(SEATS, { ...Object.fromEntries(savedSeats().map((one) => [one.room, one])), [seat.room]: seat });
}

/** @param {string} room */
export function forgetSeat(room) {
  write(SEATS, Object.fromEntries(savedSeats().filter((one) => one.room !== room).map((one) => [one.room, one])));
}

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex */
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
