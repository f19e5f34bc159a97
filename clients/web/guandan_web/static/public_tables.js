// The tables that strangers may come to, as they are now.
import { html, useEffect, useState } from "./vendor/ui.js";
import { Button, Icon } from "./kit.js";
import { offered } from "./levels.js";
import { go } from "./route.js";
import { named } from "./people.js";
import { presetText } from "./rulesets.js";
import { savedSeat } from "./settings.js";
import { t } from "./text.js";
import { Link } from "./wire.js";

/** @import { ComponentChildren } from "./vendor/ui.js" */
/** @import { RoomLine } from "./types.js" */

const LOOK_EVERY_MS = 6000;
const SEATS = 4;

/** The tables at which somebody is, those who wait for company first. @param {RoomLine[]} rooms */
function open(rooms) {
  const wait = (/** @type {RoomLine} */ room) => Number(room.stage === "lobby" && room.people < SEATS);
  return rooms.filter((room) => room.stage !== "paused").sort((a, b) => wait(b) - wait(a) || b.people - a.people);
}

/** The list, kept fresh while the page is looked at; null until there is one.
 * @returns {{ rooms: RoomLine[] | null, isLost: boolean }} */
function useRooms() {
  const [rooms, setRooms] = useState(/** @type {RoomLine[] | null} */ (null));
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    const look = async () => {
      const answer = await link.ask({ t: "list_rooms" });
      if (answer?.t === "rooms") setRooms(open(answer.rooms));
    };
    let isOn = false;
    const link = new Link({
      hello: { t: "lobby" },
      onLobby: ({ levels }) => (offered.value = levels),
      onStatus: ({ state, retryAt }) => {
        setLost(state !== "on" && retryAt > 0);
        if (state === "on" && !isOn) queueMicrotask(look);
        isOn = state === "on";
      },
    });
    const timer = setInterval(() => document.visibilityState === "visible" && look(), LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      link.close();
    };
  }, []);
  return { rooms, isLost };
}

/** @param {{ busy: boolean, onJoin: (code: string) => void, problem: ComponentChildren }} props */
export function PublicTables({ busy, onJoin, problem }) {
  const { rooms, isLost } = useRooms();
  return html`<section class="public" aria-labelledby="public-title">
    <h2 id="public-title">${t("home.public")}</h2>
    ${problem}
    ${isLost && html`<p class="problem" role="status">${t("home.public.off")}</p>`}
    ${rooms?.length === 0 && html`<p class="soft">${t("home.public.none")} ${t("home.public.hint")}</p>`}
    ${rooms === null && !isLost && html`<p class="soft">${t("loading")}</p>`}
    <ul class="plain-list">${(rooms ?? []).map((room) => html`<${Line} key=${room.room} room=${room} busy=${busy} onJoin=${onJoin} />`)}</ul>
  </section>`;
}

/** @param {{ room: RoomLine, busy: boolean, onJoin: (code: string) => void }} props */
function Line({ room, busy, onJoin }) {
  const code = room.room;
  const free = SEATS - room.people;
  return html`<li class="panel public-room">
    <div class="public-words">
      <b>${room.names.map(named).join(", ") || code}</b>
      <span class="soft">${presetText(room.preset)}</span>
      <span class="soft bits"><span>${t(`home.stage.${room.stage}`)}</span><span>${t("home.free", { n: free })}</span>
        ${room.watchers > 0 && html`<span>${t("home.watchers", { n: room.watchers })}</span>`}</span>
    </div>
    ${(free > 0 || savedSeat(code)) && html`<${Button} disabled=${busy} label=${t("home.sit.at", { code })} onClick=${() => onJoin(code)}>${t("home.sit")}<//>`}
    <${Button} kind="quiet" class="icon" label=${t("home.watch.at", { code })} title=${t("home.watch")} onClick=${() => go(`/watch/${code}`)}><${Icon} name="eye" /><//>
  </li>`;
}
