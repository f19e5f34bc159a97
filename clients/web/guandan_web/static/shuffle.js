// Dealing a hand again from its seed, to see for oneself that nobody arranged it.
// The algorithm is that of docs/protocol.md, "Checking a deal".
import { sha256 } from "./sha256.js";

/** @import { Card } from "./types.js" */

const RANKS = "23456789TJQKA";
const SUITS = "SHCD";
/** The pack in its order: each face twice. @type {Card[]} */
const PACK = [...[...RANKS].flatMap((rank) => [...SUITS].map((suit) => suit + rank)), "X", "Y"].flatMap((face) => [face, face]);
const HAND_CARDS = 27;
const SEATS = 4;

/** @param {(Uint8Array | number[])[]} parts */
function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const letters = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** @param {Uint8Array} seed @param {Uint8Array[]} nonces One for each seat; empty where it added none. */
export function handKey(seed, nonces) {
  return sha256(joined(letters("guandan/1 key"), seed, ...nonces.flatMap((nonce) => [[nonce.length], nonce])));
}

/** Fair numbers from a key. @param {Uint8Array} key @param {string} label @returns {(n: number) => number} One below n. */
function stream(key, label) {
  let counter = 0;
  let at = 32;
  let words = new DataView(new ArrayBuffer(32));
  return (n) => {
    const limit = 2 ** 32 - (2 ** 32 % n);
    for (;;) {
      if (at === 32) {
        const eight = new DataView(new ArrayBuffer(8));
        eight.setUint32(4, counter++);
        words = new DataView(sha256(joined(key, letters(label), [0], new Uint8Array(eight.buffer))).buffer);
        at = 0;
      }
      const word = words.getUint32(at);
      at += 4;
      if (word < limit) return word % n;
    }
  };
}

/** The 108 cards in dealing order. @param {Uint8Array} key */
export function shuffled(key) {
  const pack = [...PACK];
  const below = stream(key, "deal");
  for (let i = pack.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [pack[i], pack[j]] = [pack[j] ?? "", pack[i] ?? ""];
  }
  return pack;
}

/** What the four seats are dealt. @param {Uint8Array} seed @param {Uint8Array[]} nonces @returns {Card[][]} */
export function deal(seed, nonces) {
  const pack = shuffled(handKey(seed, nonces));
  return Array.from({ length: SEATS }, (_, i) => pack.slice(i * HAND_CARDS, (i + 1) * HAND_CARDS));
}

/** @param {Card[]} a @param {Card[]} b */
const isSameHand = (a, b) => [...a].sort().join() === [...b].sort().join();

/** What can be checked of a hand: was the seed the one that had been promised, and do the cards follow from it?
 * @param {{ seed: Uint8Array, commitment: Uint8Array, nonces: Uint8Array[], deal: Card[][] }} hand */
export function checked(hand) {
  const dealt = deal(hand.seed, hand.nonces);
  return {
    isPromised: sha256(hand.seed).join() === hand.commitment.join(),
    isDealt: dealt.every((cards, i) => isSameHand(cards, hand.deal[i] ?? [])),
  };
}
