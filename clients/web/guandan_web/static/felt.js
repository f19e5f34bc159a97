// The table itself: strip, seats around the felt, the action row, the hand, and on wide screens the rail.
import { html, useEffect } from "./vendor/ui.js";
import { ActionRow, Line } from "./actions.js";
import { autopilot, toggleAutopilot } from "./autopilot.js";
import { Hand, isPortrait, room } from "./hand.js";
import { Button, Icon } from "./kit.js";
import { extras } from "./later.js";
import { heard } from "./notice.js";
import { open } from "./panel.js";
import { place, SEATS } from "./people.js";
import { LastPlay, SeatBox } from "./seats.js";
import { set, settings } from "./settings.js";
import { cycleSort } from "./sort_button.js";
import { Strip } from "./strip.js";
import { isHandOver, link, mySeat, table } from "./table.js";
import { t } from "./text.js";
import { onTable } from "./trick.js";
import { useKeys } from "./keys.js";

/** The shape of the screen. */
const shape = () => (isPortrait.value ? "portrait" : room.value.height < 500 ? "landscape" : "desktop");

/** A press with the mouse leaves the focus where it is, so that Enter goes on meaning "play". @param {Event} event */
const keepFocus = (event) => event.preventDefault();

function Foot() {
  const mode = t(`sort.${settings.value.sort}`);
  return html`<nav class="foot" onMouseDown=${keepFocus} aria-label=${t("foot.title")}>
    <${Button} kind="quiet" title="S" onClick=${cycleSort}><${Icon} name="sort" /><span>${mode}</span><//>
    <${Button} kind="quiet" title="C" onClick=${() => open("counter")}><${Icon} name="counter" /><span>${t("counter.short")}</span><//>
    <${Button} kind="quiet" title="O" pressed=${!!autopilot.value} onClick=${toggleAutopilot}><${Icon} name="auto" /><span>${t("auto.short")}</span><//>
    <${Button} kind="quiet" title="/" onClick=${() => open("phrases")}><${Icon} name="chat" /><span>${t("phrase.short")}</span><//>
    <${Button} kind="quiet" onClick=${() => open("settings")}><${Icon} name="settings" /><span>${t("prefs.short")}</span><//>
  </nav>`;
}

/** What is said in the middle of the felt. */
function Middle() {
  const now = table.value;
  if (!now) return null;
  const isFresh = now.public.phase === "leading" && onTable.value.isPast;
  return html`<div class="middle">${extras.value && html`<${extras.value.Tribute} />`}${isFresh && !now.public.resisted.length && now.public.played.some((cards) => cards.length) && html`<p class="fresh">${t("turn.fresh")}</p>`}</div>`;
}

/** For screen readers: what was to be heard lately, and nothing to be seen. */
function LiveRegion() {
  return html`<div class="hearing" role="log" aria-live="polite" aria-label=${t("log.title")}>${heard.value.map(({ text, n }) => html`<p key=${n}>${text}</p>`)}</div>`;
}

/** @param {{ canSit: boolean }} props  Is a watcher offered seats in the place of a hand? */
export function Felt({ canSit }) {
  useKeys();
  useEffect(() => {
    performance.mark("table");
    extras.peek()?.greet();
  }, []);
  const now = table.value;
  if (!now) return null;
  const isSeated = mySeat.value !== null;
  const more = extras.value;
  const kind = shape();
  const hasRail = kind === "desktop" && room.value.width >= 1100;
  const classes = ["table", kind, isSeated ? "seated" : "watching", link.value.state === "on" ? "" : "is-lost", hasRail && settings.value.rail ? "with-rail" : ""].filter(Boolean).join(" ");
  return html`<main class=${classes}>
    <h1 class="offscreen">${t("table.title", { code: now.code })}</h1>
    <${Strip} />
    <div class="banners">${more && html`<${more.LinkBanner} /><${more.ProposalBanner} /><${more.NoticeBanner} />`}</div>
    <div class="felt">
      ${SEATS.map((seat) => html`<div key=${seat} class=${`spot spot-${place(seat)}`}><${SeatBox} seat=${seat} /><${LastPlay} seat=${seat} /></div>`)}
      <${Middle} />
      ${more && html`<${more.News} />`}
    </div>
    ${isSeated && now.view.stage === "playing" && !isHandOver.value && html`<div class="controls" onMouseDown=${keepFocus}>${autopilot.value && more ? html`<${more.AutopilotBanner} />` : html`<${Line} /><${ActionRow} />`}</div>`}
    ${isSeated ? html`<${Hand} />` : canSit && more && html`<${more.SitDown} code=${now.code} />`}
    ${isSeated && kind !== "landscape" && html`<${Foot} />`}
    ${hasRail && html`<${Button} kind="quiet" class="icon rail-button" pressed=${settings.value.rail} label=${t("rail.title")} onClick=${() => set({ rail: !settings.value.rail })}><${Icon} name="list" /><//>`}
    ${hasRail && settings.value.rail && more && html`<${more.Rail} />`}
    ${more && html`<${more.Summary} /><${more.Paused} /><${more.Panels} />`}
    <${LiveRegion} />
  </main>`;
}

