// The action row and the line above it. The row stays when others play, greyed, so that a hand can be
// prepared; the line has a fixed height and always says something, so that nothing jumps.
import { computed, html } from "./vendor/ui.js";
import { cardText, isBomb, rankOf, rankText, readingText } from "./cards.js";
import { giving } from "./choosing.js";
import { Clock } from "./clock.js";
import { nextHint, onlyPass, passAdvised, suggest } from "./hints.js";
import { Icon } from "./kit.js";
import { isSending, pass, play } from "./moves.js";
import { notice } from "./notice.js";
import { whoText, whoAll } from "./people.js";
import { choices, isPlayable, preview, reading, ReadingChips } from "./readings.js";
import { isAsked, level, link, table, taken, takenCards } from "./table.js";
import { t, whyText } from "./text.js";

const isLinked = computed(() => link.value.state === "on");

/** A card by its rank: of which suit it is, everybody sees. @param {string} face */
const shortText = (face) => (face.length === 1 ? cardText(face) : rankText(rankOf(face)));

/** What the play button does now, in words. */
const playText = computed(() => {
  const [only] = takenCards();
  if (giving.value) return only ? t(`tribute.${giving.value.verb}`, { card: shortText(only.face) }) : t(`tribute.${giving.value.verb}_none`);
  if (!taken.value.size || !reading.value) return t("play.play");
  return readingText(reading.value.reading);
});

/** @param {{ name: string, can: boolean, kind?: string, label?: string, title: string, onClick: () => void, children?: any }} props */
function Action({ name, can, kind = "plain", label, title, onClick, children }) {
  // Not the attribute `disabled`: the focus would be lost with every turn.
  return html`<button type="button" class=${`button action ${kind} act-${name}`} aria-disabled=${String(!can)} aria-label=${label} title=${title} onClick=${onClick}>${children}</button>`;
}

export function ActionRow() {
  const now = table.value;
  if (!now) return null;
  const mine = isAsked.value && isLinked.value && !isSending.value;
  const mayPass = mine && now.public.phase === "following";
  const canPlay = mine && (giving.value ? taken.value.size === 1 : isPlayable.value);
  const hasHints = now.view.settings.hints;
  const isAdvised = mayPass && (passAdvised.value || onlyPass.value);
  return html`<div class=${mine ? "actions mine" : "actions"} role="group" aria-label=${t("play.actions")}>
    <${Action} name="pass" can=${mayPass} kind=${isAdvised ? "plain advised" : "plain"} title="P" onClick=${pass}>${t("play.pass")}<//>
    ${isAsked.value ? html`<${Clock} />` : now.view.settings.clock_s && html`<span class="clock gone"></span>`}
    ${hasHints && html`<${Action} name="hint" can=${mine} title="H" onClick=${() => nextHint(1)}>${t("play.hint")}<//>
      <${Action} name="suggest" can=${mine} title="G" label=${t("play.suggest")} onClick=${suggest}><${Icon} name="bulb" /><//>`}
    <${Action} name="play" can=${canPlay} kind=${reading.value && isBomb(reading.value.reading) ? "primary bomb" : "primary"} title="Enter"
      label=${taken.value.size ? t("play.named", { what: playText.value }) : undefined} onClick=${play}>${playText.value}<//>
  </div>`;
}

/** What there is to be said when nothing else is: whose turn it is, and what to do. */
const turnText = computed(() => {
  const now = table.value;
  if (!now || now.view.stage !== "playing") return "";
  const { phase, asked, top, by } = now.public;
  if (giving.value) return t(`tribute.${giving.value.verb}_how`);
  if (isAsked.value && phase === "leading") return t("turn.lead");
  if (isAsked.value && phase === "following" && top && by) {
    return t(onlyPass.value ? "turn.only_pass" : "turn.follow", { who: whoText(by), what: readingText(top) });
  }
  const [first] = asked.filter((seat) => seat !== now.seat);
  if (phase === "paying" || phase === "returning") return first ? t(`turn.${phase}`, { who: whoAll(asked) }) : t("turn.chosen");
  return first ? t("turn.of", { who: whoText(first) }) : "";
});

/** What is selected, where the button cannot say it. */
const selectionText = computed(() => {
  if (giving.value || !taken.value.size || !preview.value) return "";
  const { code, readings } = preview.value;
  if (code === "not_a_combination" || !readings[0]) return t("select.none", { n: taken.value.size });
  const what = readingText((reading.value ?? readings[0]).reading);
  if (code === "" || code === "ambiguous") return "";
  return code === "not_your_turn" ? t("select.later", { what, who: whoText(table.value?.public.asked[0] ?? 1) }) : t("select.no", { what, why: whyText(code) });
});

export function Line() {
  const said = notice.value;
  const hasChips = !said && choices.value.length > 1 && !giving.value && !!taken.value.size;
  return html`<div class="line">
    ${hasChips
      ? html`<${ReadingChips} />`
      : said
        ? html`<p class=${said.tone} key=${said}>${said.text}</p>`
        : html`<p class=${isAsked.value && !selectionText.value ? "turn" : "soft"}>${selectionText.value || turnText.value}</p>`}
  </div>`;
}

/** The card that is being given, for the live region. */
export const givenText = computed(() => (giving.value && takenCards()[0] ? cardText(takenCards()[0]?.face ?? "", level.value) : ""));
