// What happened, in words: line by line in the log, and aloud in the live region.
import { computed, effect, html, untracked, useEffect, useRef } from "./vendor/ui.js";
import { cardText, rankText, readingText } from "./cards.js";
import { hear } from "./notice.js";
import { phraseText } from "./phrases.js";
import { teamText, whoText } from "./people.js";
import { isAsked, log, mySeat, onEvents, table } from "./table.js";
import { t } from "./text.js";

/** @import { Gift, Seat, Team, TableEvent } from "./types.js" */

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
      return t("log.resisted", { who: event.holders.map(whoText).join(", ") });
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

const PART = new Set(["dealt", "hand_ended"]);

/** @param {Seat | undefined} seat */
const isMine = (seat) => seat !== undefined && seat === mySeat.value;

export function Log() {
  const ref = useRef(/** @type {HTMLOListElement | null} */ (null));
  const lines = log.value;
  useEffect(() => {
    const list = ref.current;
    if (list) list.scrollTop = list.scrollHeight;
  }, [lines]);
  return html`<ol class="log" ref=${ref} tabindex="0" aria-label=${t("log.title")}>
    ${lines.map(({ id, event }) => {
      const text = eventText(event);
      const kinds = [event.t, PART.has(event.t) ? "part" : "", "seat" in event && isMine(event.seat) ? "own" : ""].filter(Boolean).join(" ");
      return text && html`<li key=${id} class=${kinds}>${text}</li>`;
    })}
    ${!lines.length && html`<li class="soft">${t("log.empty")}</li>`}
  </ol>`;
}

const SILENT = new Set(["trick_closed", "chosen"]);

onEvents((events) => hear(events.filter((event) => !SILENT.has(event.t)).map(eventText).filter(Boolean).join(". ")));

/** Is it our turn? Said once, when it becomes so. */
const call = computed(() => {
  const now = table.value?.public;
  return isAsked.value && now ? `${now.hand} ${now.turn}` : "";
});
effect(() => {
  if (call.value) hear(untracked(() => t(table.value?.public.phase === "leading" ? "turn.lead" : "turn.yours")));
});
