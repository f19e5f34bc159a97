// SHA-256, because browsers keep theirs from pages that came over plain http.

/** The first bits of the fractional parts of roots of the first primes: the constants of the standard.
 * @param {number} n @param {number} root */
function primeRoots(n, root) {
  const found = [];
  for (let p = 2; found.length < n; p++) {
    let isPrime = true;
    for (let d = 2; d * d <= p; d++) isPrime &&= p % d !== 0;
    if (isPrime) found.push(((p ** (1 / root)) % 1) * 2 ** 32 | 0);
  }
  return found;
}

const K = Int32Array.from(primeRoots(64, 3));
const START = primeRoots(8, 2);

/** @param {number} x @param {number} n */
const turned = (x, n) => (x >>> n) | (x << (32 - n));

/** @param {Uint8Array} bytes @returns {Uint8Array<ArrayBuffer>} 32 bytes. */
export function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const state = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) block(state, w, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

/** @param {Int32Array} state @param {Int32Array} w @param {DataView} view @param {number} at */
function block(state, w, view, at) {
  const word = (/** @type {number} */ i) => w[i] ?? 0;
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = word(i - 15);
    const y = word(i - 2);
    w[i] = word(i - 16) + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + word(i - 7) + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + word(i)) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = ((state[i] ?? 0) + value) | 0));
}
