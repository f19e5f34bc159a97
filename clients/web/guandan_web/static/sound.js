// Sounds made on the spot, and plays called out. Nothing is heard before the first tap: browsers do not
// allow it, and nobody likes it.
import { effect } from "./vendor/ui.js";
import { isBomb, readingText } from "./cards.js";
import { isAsked, mySeat, onEvents, onSaid, table, teamOf } from "./table.js";
import { isMuted } from "./phrases.js";
import { settings } from "./settings.js";
import { lang, t } from "./text.js";

/** @type {AudioContext | null} */
let context = null;

const unlock = () => {
  try {
    context ??= new AudioContext();
    context.resume();
  } catch {
    // A browser without sound.
  }
};
addEventListener("pointerdown", unlock);
addEventListener("keydown", unlock);

/** @param {number} hz @param {number} at Seconds from now. @param {number} s @param {number} loud @param {OscillatorType} [type] @param {number} [to] Where the pitch goes. */
function tone(hz, at, s, loud, type = "sine", to = hz) {
  if (!context) return;
  const start = context.currentTime + at;
  const source = new OscillatorNode(context, { type, frequency: hz });
  const gain = new GainNode(context, { gain: 0 });
  source.frequency.exponentialRampToValueAtTime(to, start + s);
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + s);
  source.connect(gain).connect(context.destination);
  source.start(start);
  source.stop(start + s);
}

/** A rustle, as of a card. @param {number} at @param {number} s @param {number} loud @param {number} hz */
function rustle(at, s, loud, hz) {
  if (!context) return;
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * s), context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 3;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: hz, Q: 0.8 });
  source.connect(filter).connect(new GainNode(context, { gain: loud })).connect(context.destination);
  source.start(context.currentTime + at);
}

const SOUNDS = {
  card: () => rustle(0, 0.09, 0.5, 2600),
  deal: () => Array.from({ length: 9 }, (_, i) => rustle(i * 0.13, 0.06, 0.25, 3000)),
  pass: () => tone(240, 0, 0.12, 0.12, "triangle", 180),
  turn: () => [tone(660, 0, 0.16, 0.14), tone(880, 0.12, 0.24, 0.14)],
  bomb: () => [tone(120, 0, 0.7, 0.5, "sawtooth", 34), rustle(0, 0.6, 0.7, 300)],
  few: () => [tone(990, 0, 0.09, 0.12, "square"), tone(990, 0.14, 0.09, 0.12, "square")],
  out: () => [523, 659, 784].map((hz, i) => tone(hz, i * 0.09, 0.22, 0.14)),
  won: () => [523, 659, 784, 1047].map((hz, i) => tone(hz, i * 0.14, 0.4, 0.16, "triangle")),
  lost: () => [392, 330, 262].map((hz, i) => tone(hz, i * 0.18, 0.36, 0.13, "triangle")),
  gift: () => [tone(494, 0, 0.2, 0.12), tone(740, 0.16, 0.3, 0.12)],
  pop: () => tone(520, 0, 0.1, 0.1, "sine", 900),
};

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (settings.peek().sound && context?.state === "running") SOUNDS[name]();
}

/** @param {string} text */
function call(text) {
  if (!settings.peek().voice || !context || !("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = lang.value === "zh" ? "zh-CN" : "en-US";
  words.rate = 1.15;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

const FEW = 10;
/** Counts that were announced, so that each is once. @type {(number | null)[]} */
let counted = [];

onEvents((events, update) => {
  for (const event of events) {
    if (event.t === "played") {
      play(isBomb(event.reading) ? "bomb" : "card");
      call(readingText(event.reading));
    } else if (event.t === "passed") {
      play("pass");
      call(t("play.passed"));
    } else if (event.t === "dealt") play("deal");
    else if (event.t === "went_out") play("out");
    else if (event.t === "tribute_paid" || event.t === "cards_returned") play("gift");
    else if (event.t === "hand_ended") play(mySeat.value !== null && event.outcome.winner !== teamOf(mySeat.value) ? "lost" : "won");
  }
  const { counts } = update.public;
  const few = counts.findIndex((n, i) => n !== null && n > 0 && n <= FEW && !((counted[i] ?? 99) <= FEW));
  if (few >= 0 && update.public.phase !== "hand_over" && counted.length) {
    play("few");
    call(t("count.call", { n: counts[few] ?? 0 }));
  }
  counted = counts;
});

onSaid(({ seat }) => void (isMuted(seat) || play("pop")));

effect(() => {
  if (!isAsked.value) return;
  play("turn");
  if (settings.peek().vibrate) navigator.vibrate?.(60);
});

/** The title says whose turn it is to somebody who looks at another page. */
const showTurn = () => {
  if (table.value && table.value.view.stage !== "lobby") document.title = isAsked.value && document.hidden ? t("turn.title") : t("table.title", { code: table.value.code });
};
effect(showTurn);
document.addEventListener("visibilitychange", showTurn);
