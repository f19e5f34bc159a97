// The moves: what is selected goes to the server, and a refusal leaves it selected.
import { computed, effect, signal } from "./vendor/ui.js";
import { giving } from "./choosing.js";
import { hear, note, notice } from "./notice.js";
import { isPlayable, preview, reading } from "./readings.js";
import { act, isAsked, link, table, taken, takenCards } from "./table.js";
import { t, whyText } from "./text.js";

/** Is a move on its way? A second tap is not a second move. */
export const isSending = signal(false);

/** Does this page play, and not only look on while others do? */
function playsItself() {
  const now = table.peek();
  return !!now && now.seat !== null && now.view.seats[now.seat - 1]?.control === "self";
}

// What was said about a turn goes with it. Who looks on has no turns, and would miss it: of bots they are short.
const turn = computed(() => table.value?.public.turn);
effect(() => {
  if (turn.value !== undefined && playsItself()) notice.value = null;
});

/** @param {import("./types.js").Action} action @returns {Promise<boolean>} */
async function send(action) {
  if (isSending.value) return false;
  isSending.value = true;
  const answer = await act({ ...action, turn: table.value?.public.turn ?? null });
  isSending.value = false;
  if (!answer.ok) complain(answer.code, answer.text);
  return answer.ok;
}

/** Says why something was refused. @param {string} code @param {string} [text] */
export function complain(code, text = "") {
  const words = whyText(code, text);
  note(words);
  hear(words);
}

/** Play, pay or return what is selected. */
export async function play() {
  if (link.value.state !== "on") return;
  if (!isAsked.value) return complain("not_your_turn");
  const cards = takenCards().map((card) => card.face);
  const [only] = cards;
  if (giving.value) {
    if (only) await send({ t: giving.value.verb, card: only });
    else note(t("tribute.choose"));
    return;
  }
  if (!cards.length) return note(t("play.nothing"));
  if (preview.value && !isPlayable.value) return complain(preview.value.code);
  await send({ t: "play", cards, reading: reading.value?.reading ?? null });
}

export async function pass() {
  if (link.value.state !== "on") return;
  if (!isAsked.value) return complain("not_your_turn");
  if (table.value?.public.phase !== "following") return complain(giving.value ? "wrong_phase" : "leader_must_play");
  if (await send({ t: "pass" })) taken.value = new Set(taken.value);
}

/** An action around the table, which needs no more than an apology if it fails. @param {import("./types.js").Action} action */
export async function order(action) {
  const answer = await act(action);
  if (!answer.ok) complain(answer.code, answer.text);
  return answer.ok;
}
