// The table this page is at: the last view the server sent, in one signal.
//
// Every update carries the whole view, so nothing is ever added up here. Events only animate, sound
// and fill the log. The selection is the page's own: a set of the hand's cards, kept through refusals
// and updates for as long as the cards are in the hand.
import { batch, computed, signal } from "./vendor/ui.js";
import { held } from "./cards.js";
import { beginAnew, holdBack } from "./later.js";
import { forgetSeat, fromHex, savedSeat, saveSeat, toHex } from "./settings.js";
import { Link } from "./wire.js";

/** @import { Action, Answer, HandSummary, Hello, HeldCard, Private, Public, Refused, RoomView, Said, Seat, TableEvent, Team, Update, Welcome } from "./types.js" */

/**
 * @typedef {object} Table
 * @property {string} code
 * @property {Seat | null} seat  Yours; null for a watcher.
 * @property {number} seq
 * @property {number} epoch
 * @property {RoomView} view
 * @property {Public} public
 * @property {Private | null} private
 * @property {HandSummary[]} record
 * @property {number | null} clockEnds  On the clock of `performance.now()`.
 * @property {number | null} dealEnds  The same: when the next hand is dealt by itself.
 * @property {string[]} levels  Of bots that the server has.
 */

/** @type {import("./vendor/ui.js").Signal<Table | null>} */
export const table = signal(null);

/** @type {import("./vendor/ui.js").Signal<import("./wire.js").Status>} */
export const link = signal({ state: "connecting", retryAt: 0, latencyMs: null, code: "" });

/** Why this page has no table any more; empty while it has. */
export const ended = signal("");

/** What happened, oldest first, for the log: events and phrases with their time.
 * @type {import("./vendor/ui.js").Signal<{ id: number, event: TableEvent | { t: "said", seat: Seat, phrase: string } | { t: "returned" } | import("./company.js").News }[]>} */
export const log = signal([]);
/** The table as this page came to it. @type {import("./vendor/ui.js").Signal<Table | null>} */
export const arrival = signal(null);
const LOG_MAX = 400;
let logged = 0;

/** Ids of the hand's cards that are selected. @type {import("./vendor/ui.js").Signal<ReadonlySet<string>>} */
export const taken = signal(new Set());

/** The own hand, in the server's order; empty for a watcher. */
export const hand = computed(() => held(table.value?.private?.hand ?? []));
/** The level of the cards that are seen: after a hand the view speaks of the next one's already. */
export const level = computed(() => {
  const now = table.value;
  const isOver = now?.public.phase === "hand_over" || now?.public.phase === "match_over";
  return (isOver && now.record.at(-1)?.level) || (now?.public.level ?? "2");
});
/** Is a hand over, and the next one not begun? */
export const isHandOver = computed(() => !!table.value?.public.outcome && (table.value.public.phase === "hand_over" || table.value.public.phase === "match_over"));
export const mySeat = computed(() => table.value?.seat ?? null);
export const myTeam = computed(() => (mySeat.value === null ? null : teamOf(mySeat.value)));
/** Is something asked of this seat now? */
export const isAsked = computed(() => {
  const now = table.value;
  return !!now && now.seat !== null && now.view.stage === "playing" && now.public.asked.includes(now.seat);
});

/** @param {number} seat @returns {Team} */
export const teamOf = (seat) => (seat % 2 ? "13" : "24");

/** Where a seat is from the point of view of this page: 0 below, 1 right (plays next), 2 across, 3 left.
 * @param {number} seat @param {number | null} from */
export const placeOf = (seat, from) => (seat - (from ?? 1) + 4) % 4;

/** @type {Set<(events: TableEvent[], update: Update) => void>} */
const watchers = new Set();

/** Be told of events as they come. @param {(events: TableEvent[], update: Update) => void} tell @returns {() => void} */
export function onEvents(tell) {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

/** @type {Set<(before: Public, after: Public) => void>} */
const returners = new Set();

/** Be told when the connection is back, before anything is drawn anew. @param {(before: Public, after: Public) => void} tell */
export const onReturn = (tell) => void returners.add(tell);

/** @type {Set<(said: Said) => void>} */
const listeners = new Set();

/** Hear phrases. @param {(said: Said) => void} tell @returns {() => void} */
export function onSaid(tell) {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** @type {Link | null} */
let current = null;

/**
 * Go to a table: create one, join, watch, or come back to a saved seat.
 * @param {Hello} hello
 * @param {{ name?: string, onIn?: (code: string) => void, onRefused?: (code: string, refused: Refused | null) => void }} [then]
 */
export function enter(hello, { name = "", onIn, onRefused } = {}) {
  leaveQuietly();
  let isIn = false;
  const mine = new Link({
    hello,
    onStatus: (status) => mineIsCurrent() && (link.value = status),
    onWelcome: (welcome, isReturn) => {
      if (!mineIsCurrent()) return;
      welcomed(welcome, isReturn, name);
      if (!isIn) onIn?.(welcome.room);
      isIn = true;
    },
    onUpdate: (update) => mineIsCurrent() && updated(update),
    onSaid: (said) => {
      if (!mineIsCurrent()) return;
      append([{ t: "said", seat: said.seat, phrase: said.phrase }]);
      for (const tell of listeners) tell(said);
    },
    onEnd: (code, refused) => {
      if (!mineIsCurrent()) return;
      const room = String(hello.room ?? table.value?.code ?? "");
      if (["bad_token", "room_gone", "no_such_room", "left"].includes(code)) forgetSeat(room);
      if (!isIn && onRefused) onRefused(code, refused);
      else ended.value = code;
    },
  });
  current = mine;
  ended.value = "";
  function mineIsCurrent() {
    return current === null || current === mine;
  }
}

// A table that cannot be reached is still to be seen, and comes back by itself.
holdBack(() => current !== null && ["lost", "connecting"].includes(link.value.state));

/** Come back to the saved seat of a room; false if there is none. @param {string} room @param {Parameters<typeof enter>[1]} [then] */
export function resume(room, then) {
  const saved = savedSeat(room);
  if (!saved) return false;
  enter({ t: "resume", room, token: fromHex(saved.token), seq: 0, epoch: 0 }, { name: saved.name, ...then });
  return true;
}

/** Drop the connection; the seat stays ours. */
export function leaveQuietly() {
  const old = current;
  current = null;
  old?.close();
  batch(() => {
    table.value = null;
    taken.value = new Set();
    log.value = [];
    ended.value = "";
    link.value = { state: "connecting", retryAt: 0, latencyMs: null, code: "" };
  });
}

/** Try the connection again at once. */
export const hurry = () => current?.hurry();

/** Do something at the table. @param {Action} action @returns {Promise<Answer>} */
export function act(action) {
  return current?.act(action) ?? Promise.resolve({ ok: false, code: "not_seated", text: "", retry_ms: null });
}

/** Ask something; null if the connection went. @param {Action} query @returns {Promise<any>} */
export const ask = (query) => current?.ask(query) ?? Promise.resolve(null);

/** @param {Welcome} welcome @param {boolean} isReturn @param {string} name */
function welcomed(welcome, isReturn, name) {
  const before = hand.value;
  const last = table.value?.public;
  batch(() => {
    if (!isReturn) log.value = [];
    table.value = {
      code: welcome.room,
      seat: welcome.seat,
      seq: welcome.seq,
      epoch: welcome.epoch,
      view: welcome.view,
      public: welcome.public,
      private: welcome.private,
      record: welcome.record,
      clockEnds: endsIn(welcome.view.clock_ms),
      dealEnds: endsIn(welcome.view.deal_ms),
      levels: welcome.levels ?? ["basic"],
    };
    if (!isReturn) arrival.value = table.value;
    keepTaken(before);
  });
  if (isReturn) append([{ t: "returned" }]);
  if (isReturn && last) for (const tell of returners) tell(last, welcome.public);
  if (welcome.seat !== null) {
    const saved = savedSeat(welcome.room);
    const token = welcome.token.length ? toHex(welcome.token) : saved?.token;
    if (token) remember(token, name || saved?.name || "");
  }
  // The page of an older server: its modules are gone from the new one, so it begins anew. Once: while
  // servers are replaced one by one, the next page may come from another one than the next welcome.
  const own = document.documentElement.dataset.build;
  if (welcome.build && own && own !== welcome.build) beginAnew(`build ${welcome.build}`);
}

/** @param {string} token @param {string} name */
function remember(token, name) {
  const now = table.value;
  if (!now || now.seat === null) return;
  const { levels } = now.public;
  const others = now.view.seats.filter((one, i) => one.kind === "person" && i + 1 !== now.seat).map((one) => one.name);
  const line = [now.view.stage === "lobby" ? "" : `${levels["13"]} · ${levels["24"]}`, others.join(", ")].filter(Boolean).join("  ");
  saveSeat({ room: now.code, token, seat: now.seat, name, at: Date.now(), line });
}

/** @param {Update} update */
function updated(update) {
  const before = table.value;
  if (!before) return;
  const heldBefore = hand.value;
  batch(() => {
    table.value = {
      ...before,
      seat: update.seat,
      seq: update.seq,
      epoch: update.epoch,
      view: update.view,
      public: update.public,
      private: update.private,
      record: update.finished ? [...before.record, update.finished] : before.record,
      clockEnds: endsIn(update.view.clock_ms),
      dealEnds: endsIn(update.view.deal_ms),
    };
    keepTaken(heldBefore);
    append(update.events);
  });
  const saved = savedSeat(before.code);
  if (saved && (update.finished || update.seat !== before.seat)) remember(saved.token, saved.name);
  for (const tell of watchers) tell(update.events, update);
}

/** When so many milliseconds are over, on the clock of `performance.now()`. @param {number | null} ms */
const endsIn = (ms) => (ms === null ? null : performance.now() + ms);

/** What is no longer held is no longer taken. Of two equal cards the taken one is the one that went:
 * the other is not taken because it now bears the first one's number.
 * @param {readonly HeldCard[]} before  The hand as it was. */
function keepTaken(before) {
  if (!taken.value.size) return;
  const kept = [];
  for (const face of new Set(hand.value.map((card) => card.face))) {
    const copies = hand.value.filter((card) => card.face === face);
    const old = before.filter((card) => card.face === face);
    const lost = Math.max(0, old.length - copies.length);
    const wasTaken = old.filter((card) => taken.value.has(card.id));
    kept.push(...(lost ? copies.slice(0, Math.max(0, wasTaken.length - lost)) : wasTaken).map((card) => card.id));
  }
  taken.value = new Set(kept);
}

/** @param {(typeof log.value)[number]["event"][]} events */
export function append(events) {
  if (!events.length) return;
  log.value = [...log.value, ...events.map((event) => ({ id: ++logged, event }))].slice(-LOG_MAX);
}

/** The selected cards, as the wire names them. @returns {HeldCard[]} */
export const takenCards = () => hand.value.filter((card) => taken.value.has(card.id));
