/** What is the SHA-256 of a text? For names that others compute from it, in rooms that know no system's functions. */

const primes = firstPrimes(64);
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const constants = primes.map((prime) => fraction(Math.cbrt(prime)));

/** In hexadecimal, of bytes. */
export function sha256(bytes: Uint8Array): string {
  const state = Int32Array.from(initial);
  const words = new Int32Array(64);
  const message = padded(bytes);
  for (let at = 0; at < message.length; at += 64) addBlock(state, words, message, at);
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** A text in UTF-8; half of a surrogate pair becomes a replacement character. */
export function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const point = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), tail(point));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), tail(point >> 6), tail(point));
    else bytes.push(0xf0 | (point >> 18), tail(point >> 12), tail(point >> 6), tail(point));
  }
  return Uint8Array.from(bytes);
}

function tail(point: number): number {
  return 0x80 | (point & 0x3f);
}

function firstPrimes(count: number): readonly number[] {
  const found: number[] = [];
  for (let next = 2; found.length < count; next++) if (found.every((prime) => next % prime !== 0)) found.push(next);
  return found;
}

/** The first 32 bits behind the point. */
function fraction(root: number): number {
  return ((root - Math.floor(root)) * 0x100000000) | 0;
}

/** A one, zeros, and the number of bits, up to whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): Uint8Array {
  const message = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  message.set(bytes);
  message[bytes.length] = 0x80;
  let bits = bytes.length * 8;
  for (let at = message.length - 1; bits > 0; at--) {
    message[at] = bits % 256;
    bits = Math.floor(bits / 256);
  }
  return message;
}

function addBlock(state: Int32Array, words: Int32Array, message: Uint8Array, start: number): void {
  const byte = (at: number) => message[start + at] ?? 0;
  const word = (at: number) => words[at] ?? 0;
  for (let at = 0; at < 16; at++) {
    words[at] = (byte(4 * at) << 24) | (byte(4 * at + 1) << 16) | (byte(4 * at + 2) << 8) | byte(4 * at + 3);
  }
  for (let at = 16; at < 64; at++) {
    const near = word(at - 2);
    const far = word(at - 15);
    const small = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const large = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words[at] = word(at - 16) + small + word(at - 7) + large;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at++) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (constants[at] ?? 0) + word(at)) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + value;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
