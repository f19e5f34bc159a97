// Who came, who left, and who is host now. The server says nothing of it but the next view, so two
// views are compared; what changed is told to everybody at the table, and stands in the log.
import { effect, html, signal, untracked } from "./vendor/ui.js";
import { hear } from "./notice.js";
import { append, mySeat, table } from "./table.js";
import { named } from "./people.js";
import { addTexts, t } from "./text.js";
import { company } from "./texts/company.js";

/** @import { RoomView } from "./types.js" */
/** @typedef {{ t: "came" | "left" | "left_to_bot" | "host" | "host_me" | "declined", name: string }} News */

addTexts(company);

const SHOWN_MS = 8000;

/** What is told at this moment. @type {import("./vendor/ui.js").Signal<{ items: News[], n: number }>} */
const told = signal({ items: [], n: 0 });

/** @param {News} news */
export const newsText = ({ t: what, name }) => t(`company.${what}`, { name });

/** What is in one list and not in another, names that stand twice counted twice. @param {string[]} all @param {string[]} without */
function beyond(all, without) {
  const rest = [...without];
  return all.filter((name) => {
    const i = rest.indexOf(name);
    if (i >= 0) rest.splice(i, 1);
    return i < 0;
  });
}

/** Seats whose players were asked to swap, and are asked no longer by our own wish. @type {Set<number>} */
export const isTakenBack = new Set();

/** @param {RoomView} view */
const people = (view) => view.seats.filter((one) => one.kind === "person").map((one) => one.name);

/** @param {RoomView} before @param {RoomView} after @param {number | null} me @returns {News[]} */
export function changes(before, after, me) {
  const own = me === null ? "" : (after.seats[me - 1]?.name ?? "");
  const gone = beyond(people(before), people(after));
  const new_ = beyond(people(after), people(before)).filter((name) => name !== own);
  const isOn = after.stage === "playing" || after.stage === "paused";
  const host = (/** @type {RoomView} */ view) => (view.host === null ? "" : (view.seats[view.host - 1]?.name ?? ""));
  const hasPassed = before.host !== null && after.host !== null && host(before) !== host(after);
  // Who asked to swap, and still sits there across the same person, was told no.
  const asked = before.swaps.find(([from]) => from === me);
  const to = asked?.[1];
  const isStill = to !== undefined && after.seats[to - 1]?.kind === "person" && before.seats[to - 1]?.name === after.seats[to - 1]?.name;
  const isGone = isStill && before.stage === after.stage && !after.swaps.some(([from]) => from === me);
  const isDeclined = isGone && !isTakenBack.delete(to);
  return [
    ...(isDeclined ? [/** @type {News} */ ({ t: "declined", name: after.seats[to - 1]?.name ?? "" })] : []),
    ...gone.map((name) => /** @type {News} */ ({ t: isOn ? "left_to_bot" : "left", name })),
    ...new_.map((name) => /** @type {News} */ ({ t: "came", name })),
    ...(hasPassed ? [/** @type {News} */ ({ t: after.host === me ? "host_me" : "host", name: host(after) })] : []),
  ];
}

/** @type {{ code: string, view: RoomView } | null} */
let last = null;

effect(() => {
  const now = table.value;
  const before = last;
  last = now && { code: now.code, view: now.view };
  if (!now || before?.code !== now.code || before.view === now.view) return;
  const items = changes(before.view, now.view, mySeat.peek()).map((one) => ({ ...one, name: named(one.name) }));
  if (items.length) untracked(() => tell(items));
});

/** @param {News[]} items */
function tell(items) {
  const n = told.value.n + 1;
  told.value = { items, n };
  append(items);
  hear(items.map(newsText).join(" "));
  setTimeout(() => told.value.n === n && (told.value = { items: [], n }), SHOWN_MS);
}

/** What has just changed at the table, for a while. */
export function News() {
  return html`<div class="news" role="status">${told.value.items.map((one) => html`<p key=${one.t + one.name}>${newsText(one)}</p>`)}</div>`;
}
