// What happened, in words: line by line in the log, and aloud in the live region.
import { computed, effect, html, untracked, useEffect, useRef } from "./vendor/ui.js";
import { cardText, rankText, readingText } from "./cards.js";
import { newsText } from "./company.js";
import { hear } from "./notice.js";
import { open } from "./panel.js";
import { phraseText } from "./phrases.js";
import { teamText, whoText, whoAll } from "./people.js";
import { lastResult } from "./summary.js";
import { arrival, isAsked, log, mySeat, onEvents, table, teamOf } from "./table.js";
import { lang, t } from "./text.js";

/** @import { Gift, HandSummary, Public, Seat, Team, TableEvent } from "./types.js" */

/** @typedef {(typeof log.value)[number]["event"]} Logged */

/** @param {string} key @param {Gift} gift */
const giftText = (key, { donor, recipient, card }) => t(key, { donor: whoText(donor), recipient: whoText(recipient), card: cardText(card) });

/** The line for an event; empty if it needs none. @param {Logged} event @returns {string} */
export function eventText(event) {
  switch (event.t) {
    case "dealt":
      return t("log.dealt", { n: event.number, level: rankText(event.level) });
    case "opener_drawn":
      return t("log.opener", { who: whoText(event.drawn.at(-1)?.[1] ?? 1), card: cardText(event.drawn.at(-1)?.[0] ?? "") });
    case "tribute_resisted":
      return t("log.resisted", { who: whoAll(event.holders) });
    case "tribute_paid":
      return event.gifts.map((gift) => giftText("log.paid", gift)).join(" · ");
    case "cards_returned":
      return event.returns.map((gift) => giftText("log.returned", gift)).join(" · ");
    case "timed_out":
      return t("log.timed_out", { who: whoText(event.seat) });
    case "played":
      return t("log.played", { who: whoText(event.seat), what: readingText(event.reading) });
    case "passed":
      return t("log.passed", { who: whoText(event.seat) });
    case "went_out":
      return t("log.out", { who: whoText(event.seat), place: t(`place.${event.place}`) });
    case "trick_closed":
      return event.leader === event.winner ? t("log.trick", { who: whoText(event.winner) }) : t("log.wind", { who: whoText(event.winner), leader: whoText(event.leader) });
    case "hand_ended":
      return resultText(event);
    case "said":
      return t("log.said", { who: whoText(event.seat), what: phraseText(event.phrase) });
    case "returned":
      return t("log.back");
    case "came":
    case "left":
    case "left_to_bot":
    case "host":
    case "host_me":
    case "declined":
      return newsText(event);
    default:
      return "";
  }
}

/** @param {Extract<TableEvent, { t: "hand_ended" }>} event */
function resultText({ outcome }) {
  const team = teamText(outcome.winner);
  const levels = /** @type {Team[]} */ (["13", "24"]).map((one) => `${teamText(one)} ${rankText(outcome.after.levels[one])}`).join(" · ");
  return t(outcome.match_won ? "log.match" : "log.hand", { team, gain: outcome.gain, levels });
}

/** What happened before this page came, as far as a view tells: the hands that are over, and of this one
 * the tribute, who is out, and the trick that is open. */
const past = computed(() => {
  const now = arrival.value;
  if (!now) return [];
  const { public: view, record } = now;
  const isOver = view.phase === "hand_over" || view.phase === "match_over";
  /** @type {Logged[]} */
  const events = record.flatMap((hand) => [dealt(hand.number, hand.level, hand.owner), ...gifts(hand), ended(hand)]);
  if (view.hand && !isOver) {
    events.push(dealt(view.hand, view.level, view.owner), ...gifts(view));
    view.out.forEach((seat, i) => events.push({ t: "went_out", seat, place: i + 1 }));
    const from = view.leader ?? view.by ?? 1;
    for (const step of [0, 1, 2, 3]) {
      const seat = /** @type {Seat} */ (((from - 1 + step) % 4) + 1);
      const did = view.shown[seat - 1];
      if (did === "pass") events.push({ t: "passed", seat });
      else if (did) events.push({ t: "played", seat, cards: did.cards, reading: did.reading });
    }
  }
  return events.map((event, i) => ({ id: i - events.length, event }));
});

/** @param {number} number @param {string} level @param {Team | null} owner @returns {Logged} */
const dealt = (number, level, owner) => ({ t: "dealt", number, level, owner, commitment: new Uint8Array(), own: null });

/** @param {Pick<Public, "resisted" | "gifts" | "returns">} hand @returns {Logged[]} */
const gifts = (hand) => [
  ...(hand.resisted.length ? [/** @type {Logged} */ ({ t: "tribute_resisted", holders: hand.resisted })] : []),
  ...(hand.gifts.length ? [/** @type {Logged} */ ({ t: "tribute_paid", gifts: hand.gifts })] : []),
  ...(hand.returns.length ? [/** @type {Logged} */ ({ t: "cards_returned", returns: hand.returns })] : []),
];

/** @param {HandSummary} hand @returns {Logged} */
function ended({ finish, gain, levels, match_won }) {
  const after = { levels, active: "", owner: null, misses: { 13: 0, 24: 0 } };
  const outcome = { finish, winner: teamOf(finish[0] ?? 1), gain, missed: [], fallen: [], match_won, after };
  return { t: "hand_ended", outcome, left: [], seed: new Uint8Array(), nonces: [] };
}

/** Within so many pixels of its end, a list is at its end: browsers round. */
const END_PX = 4;

const PART = new Set(["dealt", "hand_ended"]);

/** @param {Seat | undefined} seat */
const isMine = (seat) => seat !== undefined && seat === mySeat.value;

export function Log() {
  const ref = useRef(/** @type {HTMLOListElement | null} */ (null));
  const lines = [...past.value, ...log.value];
  const height = useRef(0);
  // What is new is scrolled to, but not under who reads what was before: was the end of the old lines in sight?
  useEffect(() => {
    const list = ref.current;
    if (!list) return;
    const wasAtEnd = list.scrollTop + list.clientHeight >= height.current - END_PX;
    height.current = list.scrollHeight;
    if (wasAtEnd) list.scrollTop = list.scrollHeight;
  });
  return html`<ol class="log" ref=${ref} tabindex="0" aria-label=${t("log.title")}>
    ${lastResult.value && html`<li class="soft"><button type="button" class="textual" onClick=${() => open("result")}>${t("over.last")}</button></li>`}
    ${lines.map(({ id, event }) => {
      const text = eventText(event);
      const kinds = [event.t, PART.has(event.t) ? "part" : "", "seat" in event && isMine(event.seat) ? "own" : ""].filter(Boolean).join(" ");
      return text && html`<li key=${id} class=${kinds}>${text}</li>`;
    })}
    ${!lines.length && html`<li class="soft">${t("log.empty")}</li>`}
  </ol>`;
}

const SILENT = new Set(["trick_closed", "chosen"]);

/** Lines as one text to be read aloud, each with the full stop of its language. @param {string[]} lines */
export const spoken = (lines) => lines.map((line) => (/[.。！？!?”]$/.test(line) ? line : t("log.stop", { line }))).join(lang.value === "zh" ? "" : " ");

onEvents((events) => hear(spoken(events.filter((event) => !SILENT.has(event.t)).map(eventText).filter(Boolean))));

/** Is it our turn? Said once, when it becomes so. */
const call = computed(() => {
  const now = table.value?.public;
  return isAsked.value && now ? `${now.hand} ${now.turn}` : "";
});
effect(() => {
  if (call.value) hear(untracked(() => t(table.value?.public.phase === "leading" ? "turn.lead" : "turn.yours")));
});
