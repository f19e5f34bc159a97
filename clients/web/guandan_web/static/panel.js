// Which drawer lies over the table; a table has one at a time.
import { signal } from "./vendor/ui.js";

/** @typedef {"" | "menu" | "log" | "score" | "counter" | "phrases" | "settings" | "keys" | "leave" | "new_game" | "pace" | "result" | "review"} Panel */

/** @type {import("./vendor/ui.js").Signal<Panel>} */
export const panel = signal("");

/** @param {Panel} which */
export function open(which) {
  panel.value = which;
}

export const close = () => open("");

/** After a match: is the lobby looked at, where seats and rules can change, and not the table? */
export const atLobby = signal(false);
