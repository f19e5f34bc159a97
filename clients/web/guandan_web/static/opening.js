// How one gets to a table: a new one, one with bots, a friend's, a stranger's.
//
// All of these end at /r/CODE with the connection open, or say why not by a code.
import { SETTINGS } from "./catalogue.js";
import { levelFor } from "./levels.js";
import { go } from "./route.js";
import { known } from "./rulesets.js";
import { savedSeat, settings } from "./settings.js";
import { act, enter, table } from "./table.js";
import { settledName } from "./names.js";
import { inLobby, randomBytes } from "./wire.js";

/** @import { Hello, RoomLine, Seat, Settings } from "./types.js" */

/** On a table that strangers come to, nobody should have to wait for ever. */
const PUBLIC_CLOCK_S = 30;
const BOT_SEATS = [2, 3, 4];

/** The rules that were chosen on this page. */
export const chosen = () => known({ preset: settings.value.preset, options: settings.value.options });

/** Say hello; the room's code, or why not.
 * @param {Hello} hello @returns {Promise<{ room: string, why: string }>} */
function entering(hello) {
  return new Promise((resolve) => {
    enter(hello, {
      name: typeof hello.name === "string" ? hello.name : "",
      onIn: (room) => resolve({ room, why: "" }),
      onRefused: (why) => resolve({ room: "", why: why || "internal" }),
    });
  });
}

/** Open a table and sit down at it. @param {Settings | null} wanted nil: the server's own, with a clock once two people play. */
const opened = (wanted) =>
  entering({ t: "create", name: settledName(), create_id: randomBytes(16), ...chosen(), settings: wanted });

/** Seat three bots and begin. The nonce makes the shuffle ours as well as the server's. */
async function begin() {
  const level = levelFor(table.value?.levels ?? []);
  for (const seat of BOT_SEATS) await act({ t: "add_bot", seat, level });
  await act({ t: "ready", ready: true, nonce: randomBytes(16) });
}

/** A table with bots, at which the first hand is dealt already. @returns {Promise<string>} Why not; empty if it went well. */
export async function playNow() {
  const { room, why } = await opened(null);
  if (why) return why;
  await begin();
  go(`/r/${room}`);
  return "";
}

/** A table to fill with friends. @param {Settings} wanted @returns {Promise<string>} */
export async function newTable(wanted) {
  // People at a private table get a clock as soon as two play, unless they said that they want none.
  const isPlain = wanted.visibility === "private" && wanted.clock_s === null && !settings.value.noClock;
  const { room, why } = await opened(isPlain ? null : wanted);
  if (why) return why;
  const now = table.value;
  if (isPlain && now) await act({ t: "configure", preset: now.view.preset, options: now.view.options, settings: wanted });
  go(`/r/${room}`);
  return "";
}

/** Sit down at somebody's table. @param {string} code @param {Seat | null} [seat] @returns {Promise<string>} */
export async function join(code, seat = null) {
  const { room, why } = await entering({ t: "join", room: code, name: settledName(), seat, join_id: randomBytes(16) });
  if (!why) go(`/r/${room}`, { replace: location.pathname.startsWith("/r/") });
  return why;
}

/** Go to the table of a code: back to the own seat there, or to a free one. @param {string} code @returns {Promise<string>} */
export async function joinByCode(code) {
  if (savedSeat(code)) {
    go(`/r/${code}`);
    return "";
  }
  const why = await join(code);
  if (why === "full") go(`/watch/${code}`);
  return why === "full" ? "" : why;
}

/** Sit down with others who look for a table, or open one that they will find. @returns {Promise<string>} */
export async function quickPlay() {
  /** @type {{ rooms?: RoomLine[] } | null} */
  const answer = await inLobby((link) => link.ask({ t: "list_rooms" }));
  const free = (answer?.rooms ?? []).filter(({ stage, people }) => (stage === "lobby" || stage === "playing") && people < 4 && people > 0);
  // Those who wait come first; then whoever plays with bots and would rather have company.
  free.sort((a, b) => Number(b.stage === "lobby") - Number(a.stage === "lobby") || b.people - a.people);
  for (const { room } of free.slice(0, 3)) {
    if ((await joinByCode(room)) === "") return "";
  }
  const { room, why } = await opened({ ...SETTINGS, ...settings.value.table, visibility: "public", clock_s: settings.value.table.clock_s ?? PUBLIC_CLOCK_S });
  if (why) return why;
  await begin();
  go(`/r/${room}`);
  return "";
}

/** What somebody typed or pasted as a room: its code, or a link with it. @param {string} text */
export function codeIn(text) {
  // Letters and digits of full width, as Chinese keyboards may give, are the same ones.
  const plain = text.normalize("NFKC");
  const link = /\/(?:r|watch)\/([0-9a-z]{1,16})/i.exec(plain);
  return (link?.[1] ?? plain.replace(/[^0-9a-z]/gi, "")).toUpperCase();
}
