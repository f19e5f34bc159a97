// One connection to one room, kept up for as long as the page wants it.
//
//     const link = new Link({ hello, onWelcome, onUpdate, onSaid, onStatus, onEnd });
//     await link.act({ t: "play", cards });      stored, or refused with a code
//     await link.ask({ t: "preview", cards });   answered, or null if the connection went
//
// The server holds the truth: after a break the link says `resume` and the answer is the whole view.
// An action whose answer was lost is sent again, the same bytes under the same counter.
import { decode, encode } from "./vendor/msgpack.js";

/** @import { Action, Answer, Hello, InLobby, Refused, Said, ServerMessage, Update, Welcome } from "./types.js" */

export const VERSION = 1;
const SUBPROTOCOL = "guandan.v1";
/** Ids of questions begin above any action counter: `refused` names both in one field. */
const FIRST_ID = 2 ** 32;
/** Waits before coming back. The first are short: a server that restarts is back within seconds. */
const WAITS_MS = [0, 300, 600, 1000, 1000, 1500, 1500, 2000, 2000, 2000, 3000, 5000, 8000, 15000];
const HOPS_MAX = 3;
/** A phone that slept may hold a dead connection: one that answers nothing in this time is given up. */
const WAKE_MS = 2000;
const PROBE_EVERY_MS = 20000;
/** A connection that has not let us in by then is given up for another: the hello may be said again. */
const IN_MS = 8000;
/** Close codes after which nobody comes back by itself. */
const FINAL = new Map([
  [4401, "bad_token"],
  [4404, "room_gone"],
  [4409, "replaced"],
  [4410, "bad_version"],
  [4411, "left"],
]);

/**
 * How the connection is.
 * @typedef {{ state: "connecting" | "on" | "lost" | "ended", retryAt: number, latencyMs: number | null, code: string }} Status
 */

/**
 * @typedef {object} LinkOptions
 * @property {Hello} hello  Said first; after a welcome with a token, `resume` is said instead.
 * @property {(welcome: Welcome, isReturn: boolean) => void} [onWelcome]
 * @property {(lobby: InLobby) => void} [onLobby]
 * @property {(update: Update) => void} [onUpdate]
 * @property {(said: Said) => void} [onSaid]
 * @property {(status: Status) => void} [onStatus]
 * @property {(code: string, refused: Refused | null) => void} [onEnd]  It will not come back by itself.
 * @property {string} [path]
 */

/** Where the WebSocket of this page's server is. @param {string} [path] */
export function address(path = "/ws") {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}${path}`;
}

/** Random bytes that also exist where a page came over plain http. @param {number} n */
export function randomBytes(n) {
  return crypto.getRandomValues(new Uint8Array(n));
}

export class Link {
  /** @param {LinkOptions} options */
  constructor(options) {
    this.options = options;
    /** @type {Hello} */
    this.hello = options.hello;
    /** @type {Status} */
    this.status = { state: "connecting", retryAt: 0, latencyMs: null, code: "" };
    this.counter = 0;
    this.seq = 0;
    this.epoch = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.url = address(options.path);
    this.hops = 0;
    this.tries = 0;
    this.isIn = false;
    this.wasIn = false;
    this.nextId = FIRST_ID;
    /** Actions not yet answered, oldest first; only the first has been sent.
     * @type {{ action: Action, n: number, frame: Uint8Array<ArrayBuffer> | null, resolve: (answer: Answer) => void }[]} */
    this.actions = [];
    /** @type {Map<number, { resolve: (message: any) => void, at: number }>} */
    this.questions = new Map();
    /** @type {Refused | null} */
    this.refusal = null;
    /** @type {import("./types.js").Goodbye | null} */
    this.goodbye = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.inTimer = undefined;
    this.probeTimer = setInterval(() => this.isIn && document.visibilityState === "visible" && this.probe(), PROBE_EVERY_MS);
    this.wake = () => document.visibilityState === "visible" && this.hurry();
    document.addEventListener("visibilitychange", this.wake);
    window.addEventListener("pageshow", this.wake);
    window.addEventListener("online", this.wake);
    this.connect();
  }

  /** Do something under the next counter. @param {Action} action @returns {Promise<Answer>} */
  act(action) {
    return new Promise((resolve) => {
      this.actions.push({ action, n: 0, frame: null, resolve });
      if (this.actions.length === 1) this.sendAction();
    });
  }

  /** Ask something. @param {Action} query @returns {Promise<any>} The answer, `refused`, or null if the connection went. */
  ask(query) {
    if (!this.isIn || !this.socket) return Promise.resolve(null);
    const id = this.nextId++;
    this.socket.send(encode({ ...query, id }));
    return new Promise((resolve) => this.questions.set(id, { resolve, at: performance.now() }));
  }

  /** Leave the connection for good; the seat stays. */
  close() {
    this.end("", false);
    this.socket?.close(1000);
  }

  /** Try at once, and make sure that an open connection is alive. */
  hurry() {
    if (this.status.state === "ended") return;
    if (this.isIn) {
      this.probe();
      return;
    }
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    this.tries = 0;
    clearTimeout(this.timer);
    this.connect();
  }

  /** One round trip: how far away the server is, and whether it is there at all. */
  async probe() {
    const socket = this.socket;
    const began = performance.now();
    const timer = setTimeout(() => socket === this.socket && this.abandon(), WAKE_MS * (this.status.latencyMs === null ? 2 : 1));
    const answer = await this.ask({ t: "ping" });
    clearTimeout(timer);
    if (answer) this.say({ latencyMs: Math.round(performance.now() - began) });
  }

  connect() {
    this.refusal = this.goodbye = null;
    let socket;
    try {
      socket = new WebSocket(this.url, SUBPROTOCOL);
    } catch {
      this.later();
      return;
    }
    this.socket = socket;
    clearTimeout(this.inTimer);
    this.inTimer = setTimeout(() => socket === this.socket && !this.isIn && this.abandon(), IN_MS);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(encode({ ...this.hello, version: VERSION }));
    socket.onmessage = (event) => socket === this.socket && this.hear(/** @type {any} */ (decode(new Uint8Array(event.data))));
    socket.onclose = (event) => socket === this.socket && this.closed(event.code);
  }

  /** The connection is as good as dead: do not wait for its close. */
  abandon() {
    const socket = this.socket;
    this.socket = null;
    if (socket) socket.onclose = socket.onmessage = null;
    socket?.close();
    this.closed(1006);
  }

  /** @param {ServerMessage} message */
  hear(message) {
    switch (message.t) {
      case "welcome":
        return this.welcomed(message);
      case "in_lobby":
        this.options.onLobby?.(message);
        return this.entered();
      case "update":
        this.seq = message.seq;
        this.epoch = message.epoch;
        if ("seq" in this.hello) Object.assign(this.hello, { seq: this.seq, epoch: this.epoch });
        return this.options.onUpdate?.(message);
      case "done":
        return this.answered({ ok: true, seq: message.seq }, message.n);
      case "refused":
        return this.refused(message);
      case "said":
        this.settle(message.id, message);
        return this.options.onSaid?.(message);
      case "moved":
        this.url = new URL(message.url, this.url).href;
        this.hops += 1;
        return;
      case "goodbye":
        this.goodbye = message;
        return;
      default:
        this.settle(message.id, message);
    }
  }

  entered() {
    const isReturn = this.wasIn;
    this.isIn = this.wasIn = true;
    clearTimeout(this.inTimer);
    this.tries = this.hops = 0;
    this.say({ state: "on", code: "" });
    return isReturn;
  }

  /** @param {Welcome} welcome */
  welcomed(welcome) {
    this.seq = welcome.seq;
    this.epoch = welcome.epoch;
    this.counter = welcome.counter;
    const token = welcome.token.length ? welcome.token : this.hello.token;
    if (welcome.seat !== null) this.hello = { t: "resume", room: welcome.room, token, seq: this.seq, epoch: this.epoch };
    else this.hello = { t: "watch", room: welcome.room };
    const isReturn = this.entered();
    this.options.onWelcome?.(welcome, isReturn);
    const first = this.actions[0];
    if (first?.n && first.n <= welcome.counter) this.answered({ ok: true, seq: welcome.seq }, first.n);
    else if (first) this.sendAction();
    this.probe();
  }

  sendAction() {
    const first = this.actions[0];
    if (!first || !this.isIn || !this.socket) return;
    if (!first.frame || first.n <= this.counter) {
      first.n = this.counter + 1;
      first.frame = encode({ ...first.action, n: first.n });
    }
    this.socket.send(first.frame);
  }

  /** @param {Answer} answer @param {number} n */
  answered(answer, n) {
    if (this.actions[0]?.n !== n) return;
    if (answer.ok) this.counter = Math.max(this.counter, n);
    this.actions.shift()?.resolve(answer);
    this.sendAction();
  }

  /** @param {Refused} message */
  refused(message) {
    if (message.ref === 0) {
      this.refusal = message;
    } else if (message.ref >= FIRST_ID) {
      this.settle(message.ref, message);
    } else if (message.code === "storage_unavailable" && this.actions[0]?.n === message.ref) {
      // It may be stored after all: the same bytes again tell.
      setTimeout(() => this.actions[0]?.n === message.ref && this.sendAction(), message.retry_ms ?? 1000);
    } else {
      this.answered({ ok: false, code: message.code, text: message.text, retry_ms: message.retry_ms }, message.ref);
    }
  }

  /** @param {number} id @param {ServerMessage | null} message */
  settle(id, message) {
    this.questions.get(id)?.resolve(message);
    this.questions.delete(id);
  }

  /** @param {number} code */
  closed(code) {
    this.isIn = false;
    clearTimeout(this.inTimer);
    for (const [id] of this.questions) this.settle(id, null);
    const refusal = this.refusal;
    if (this.status.state === "ended") return;
    const final = FINAL.get(code) ?? (code === 4403 && refusal?.retry_ms == null ? (refusal?.code ?? "forbidden") : undefined);
    if (final !== undefined) {
      // A refused hello closes with a code of its own; what was refused says more.
      this.end(refusal?.code ?? final, true);
      return;
    }
    if (code === 4307 && this.hops <= HOPS_MAX && !(address().startsWith("wss:") && this.url.startsWith("ws:"))) {
      this.connect();
      return;
    }
    // Where the room has moved to may be gone as well: ask the front door again.
    this.url = address(this.options.path);
    this.hops = 0;
    this.later(this.goodbye?.retry_after_ms ?? refusal?.retry_ms ?? undefined);
  }

  /** Come back after a while. @param {number} [atLeastMs] */
  later(atLeastMs = 0) {
    const planned = WAITS_MS[Math.min(this.tries, WAITS_MS.length - 1)] ?? 0;
    const wait = Math.max(atLeastMs, planned * (0.5 + Math.random() / 2));
    this.tries += 1;
    this.say({ state: this.wasIn ? "lost" : "connecting", retryAt: performance.now() + wait, latencyMs: null });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** @param {string} code @param {boolean} tell */
  end(code, tell) {
    clearTimeout(this.timer);
    clearTimeout(this.inTimer);
    clearInterval(this.probeTimer);
    document.removeEventListener("visibilitychange", this.wake);
    window.removeEventListener("pageshow", this.wake);
    window.removeEventListener("online", this.wake);
    this.say({ state: "ended", code });
    for (const waiting of this.actions.splice(0)) waiting.resolve({ ok: false, code: code || "left", text: "", retry_ms: null });
    if (tell) this.options.onEnd?.(code, this.refusal);
  }

  /** @param {Partial<Status>} change */
  say(change) {
    this.status = { ...this.status, ...change };
    this.options.onStatus?.(this.status);
  }
}

/** A question that a person waits for is given up after so many fruitless tries: some five seconds. */
const TRIES_MAX = 6;

/**
 * One question to the server outside any room: `list_rooms` or `fetch_record`, then goodbye.
 * @param {(link: Link) => Promise<any>} question
 * @returns {Promise<any>} The answer; null if the server cannot be reached.
 */
export async function inLobby(question) {
  return new Promise((resolve) => {
    let asked = false;
    /** @type {Link} */
    const link = new Link({
      hello: { t: "lobby" },
      onStatus: async (status) => {
        if (status.state === "connecting" && link.tries > TRIES_MAX) {
          resolve(null);
          // Once the link has made its plans for coming back: they are dropped with it.
          queueMicrotask(() => link.close());
        }
        if (status.state !== "on" || asked) return;
        asked = true;
        const answer = await question(link);
        link.close();
        resolve(answer);
      },
      onEnd: () => resolve(null),
    });
  });
}
