// Where the page is: the path of the address bar, in a signal.
//
//     /  start      /r/CODE  a table      /watch/CODE  from outside      /replay/ID      /rules[/PRESET]
import { computed, signal } from "./vendor/ui.js";

const path = signal(location.pathname);
window.addEventListener("popstate", () => (path.value = location.pathname));

/** @param {string} to @param {{ replace?: boolean }} [options] */
export function go(to, { replace = false } = {}) {
  if (to === path.value) return;
  // The entry of a dialog that this is chosen in is of no use any more.
  const isDialog = !!history.state?.dialog;
  const from = replace && !isDialog ? (history.state?.from ?? "") : path.value;
  history[replace || isDialog ? "replaceState" : "pushState"]({ from }, "", to);
  path.value = location.pathname;
  window.scrollTo(0, 0);
}

/** The path that this one was come to from, which the browser's back button leads to; empty if there is none. */
export const cameFrom = () => String(history.state?.from ?? "");

/** The screen, and what the rest of the path says. */
export const route = computed(() => {
  const [, screen = "", rest = ""] = path.value.split("/");
  return { screen, rest: decoded(rest) };
});

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** For a link that stays within the page. @param {MouseEvent} event */
export function follow(event) {
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(new URL(link.href).pathname);
}
