// The drawers over the table: the menu, and what it opens.
import { html, useEffect } from "./vendor/ui.js";
import { autopilot, toggleAutopilot } from "./autopilot.js";
import { Paces } from "./autopilot_banner.js";
import { Counter } from "./counter.js";
import { KeyList } from "./help.js";
import { useRoomLink } from "./invite.js";
import { Copy, Dialog } from "./dialog.js";
import { Button, Icon, LangButton } from "./kit.js";
import { Later } from "./later.js";
import { Log } from "./log.js";
import { isBack } from "./moment.js";
import { order } from "./moves.js";
import { close, open, panel } from "./panel.js";
import { nameOf, viewFrom, SEATS } from "./people.js";
import { Phrases } from "./phrases.js";
import { Preferences } from "./preferences.js";
import { review } from "./review.js";
import { go } from "./route.js";
import { cycleSort } from "./sort_button.js";
import { forgetSeat, settings } from "./settings.js";
import { hand, leaveQuietly, mySeat, table } from "./table.js";
import { lastResult } from "./summary.js";
import { t } from "./text.js";
import { lookBack } from "./trick.js";
import "./icons.js";

/** @param {{ icon: string, text: string, onClick: () => void, pressed?: boolean }} props */
function Item({ icon, text, onClick, pressed }) {
  return html`<button type="button" class="menu-item" aria-pressed=${pressed === undefined ? undefined : String(pressed)} onClick=${onClick}><${Icon} name=${icon} /><span>${text}</span></button>`;
}

/** The link for others, by the address at which others reach the server. @param {{ code: string }} props */
function CopyLink({ code }) {
  return html`<${Copy} text=${useRoomLink(code).url} />`;
}

function Menu() {
  const now = table.value;
  if (!now) return null;
  const isSeated = now.seat !== null;
  const isHost = isSeated && now.view.host === now.seat;
  const isOn = now.view.stage === "playing";
  return html`<${Dialog} title=${t("menu.title")} onClose=${close} class="menu">
    <div class="menu-items">
      ${isSeated && hand.value.length > 0 && html`<${Item} icon="sort" text=${t("sort.to", { mode: t(`sort.${settings.value.sort}`) })} onClick=${cycleSort} />`}
      <${Item} icon="counter" text=${t("counter.title")} onClick=${() => open("counter")} />
      <${Item} icon="back" text=${t("keys.l")} onClick=${() => (close(), lookBack())} />
      <${Item} icon="list" text=${t("log.title")} onClick=${() => open("log")} />
      ${lastResult.value && html`<${Item} icon="crown" text=${t("over.last")} onClick=${() => open("result")} />`}
      ${review.value?.code === now.code && html`<${Item} icon="bulb" text=${t("over.review")} onClick=${() => open("review")} />`}
      <${Item} icon="chart" text=${t("score.title")} onClick=${() => open("score")} />
      <${Item} icon="chat" text=${t("phrase.title")} onClick=${() => open("phrases")} />
      ${isSeated && isOn && html`<${Item} icon="auto" text=${t("auto.title")} pressed=${!!autopilot.value} onClick=${() => (toggleAutopilot(), close())} />`}
      <${Item} icon="settings" text=${t("prefs.title")} onClick=${() => open("settings")} />
      <${Item} icon="help" text=${t("keys.title")} onClick=${() => open("keys")} />
      <${Item} icon="shield" text=${t("menu.rules")} onClick=${() => window.open(rulesOf(now.view), "_blank", "noopener")} />
      ${isHost && html`<${Item} icon="bot" text=${t("pace.title")} onClick=${() => open("pace")} />
        <${Item} icon="swap" text=${t("proposal.new_game")} onClick=${() => open("new_game")} />`}
      <${Item} icon="home" text=${t(isSeated ? "menu.home_seated" : "home")} onClick=${() => (leaveQuietly(), close(), go("/"))} />
      ${isSeated && html`<${Item} icon="exit" text=${t("menu.leave")} onClick=${() => open("leave")} />`}
    </div>
    ${!isSeated && html`<p>${t("watch.from")}</p><div class="chips" role="group" aria-label=${t("watch.from")}>${SEATS.map((seat) => html`<button type="button" key=${seat}
      class=${viewFrom.value === seat ? "chip lit" : "chip"} aria-pressed=${String(viewFrom.value === seat)} onClick=${() => (viewFrom.value = seat)}>${nameOf(seat)}</button>`)}</div>`}
    <p class="row menu-foot"><span class="soft">${t("menu.room")} <b translate="no">${now.code}</b></span><${CopyLink} code=${now.code} /><${LangButton} /></p>
    ${now.view.watchers > 0 && html`<p class="soft"><${Icon} name="eye" /> ${t("menu.watchers", { n: now.view.watchers })}</p>`}
  <//>`;
}

/** @param {{ title: string, text: string, yes: string, onYes: () => void }} props */
function Sure({ title, text, yes, onYes }) {
  return html`<${Dialog} title=${title} onClose=${close}><p>${text}</p>
    <div class="row"><${Button} kind="danger" onClick=${() => (close(), onYes())}>${yes}<//><${Button} kind="quiet" onClick=${close}>${t("cancel")}<//></div><//>`;
}

function Pace() {
  return html`<${Dialog} title=${t("pace.title")} onClose=${close}><p class="soft">${t("pace.how")}</p>
    <${Paces} label=${t("pace.title")} value=${table.value?.view.settings.pace_ms} onChange=${(/** @type {number} */ pace) => order({ t: "set_pace", pace_ms: pace })} /><//>`;
}

const sessionRecord = () => import("./record_view.js").then((module) => module.SessionRecord);

/** The session's hands, drawn by a module that is fetched when somebody asks. */
function Score() {
  const now = table.value;
  return html`<${Dialog} title=${t("score.title")} onClose=${close} class="wide">${now && html`<${Later} load=${sessionRecord}
    meanwhile=${html`<p class="soft">${t("loading")}</p>`} record=${now.record} seats=${now.view.seats} mySeat=${now.seat} />`}<//>`;
}

/** Give the seat up, and know nothing of it any more. */
async function leave() {
  const code = table.peek()?.code;
  if (!(await order({ t: "leave" }))) return;
  if (code) forgetSeat(code);
  go("/");
}

const lookingBack = () => import("./review_view.js").then((module) => module.Review);

export function Panels() {
  useEffect(() => {
    const now = table.peek();
    if (now && isBack(now.code, now.view.match) && now.view.stage === "match_over") open("review");
  }, []);
  switch (panel.value) {
    case "menu":
      return html`<${Menu} />`;
    case "log":
      return html`<${Dialog} title=${t("log.title")} onClose=${close}><${Log} /><//>`;
    case "counter":
      return html`<${Dialog} title=${t("counter.title")} onClose=${close}><${Counter} /><//>`;
    case "score":
      return html`<${Score} />`;
    case "review":
      return html`<${Later} load=${lookingBack} />`;
    case "phrases":
      return html`<${Dialog} title=${t("phrase.title")} onClose=${close}><${Phrases} onSaid=${close} /><//>`;
    case "settings":
      return html`<${Dialog} title=${t("prefs.title")} onClose=${close}><${Preferences} /><//>`;
    case "keys":
      return html`<${Dialog} title=${t("keys.title")} onClose=${close}><${KeyList} /><//>`;
    case "pace":
      return html`<${Pace} />`;
    case "leave":
      return html`<${Sure} title=${t("menu.leave")} text=${t(mySeat.value && table.value?.view.stage === "playing" ? "leave.sure" : "leave.sure_idle")} yes=${t("leave.yes")} onYes=${leave} />`;
    case "new_game":
      return html`<${Sure} title=${t("proposal.new_game")} text=${t("new_game.sure")} yes=${t("new_game.yes")} onYes=${() => order({ t: "propose", proposal: "new_game" })} />`;
    default:
      return null;
  }
}

/** The rules as this table plays them: its preset, and what it has changed. @param {import("./types.js").RoomView} view */
function rulesOf({ preset, options }) {
  const changes = new URLSearchParams(Object.entries(options).map(([name, value]) => [name, JSON.stringify(value)]));
  return `/rules/${preset}${changes.size ? `?${changes}` : ""}`;
}
