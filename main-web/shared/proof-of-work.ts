/** Solve the proof of work that a form asks for while it is flooded. The server's part is `proof_of_work.py`. */

/** Header of a request with a solved challenge. */
export const PROOF_HEADER = "Porchlight-Proof";

/** The page can respond to input between slices. */
const SLICE_MS = 30;
const TRIES_PER_CLOCK_READING = 256;
const MAX_BLOCK_TEXT_LENGTH = 55;

// The first 32 bits of the fractional parts of the square and cube roots of the first primes (FIPS 180-4).
const PRIMES = firstPrimes(64);
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

/** Return the challenge with an answer to it, to send in the header. It takes about a second on a phone. */
export async function solveProofOfWork(challenge: string): Promise<string> {
  const bits = Number.parseInt(challenge, 10);
  let answer = 0;
  for (;;) {
    const sliceEnd = performance.now() + SLICE_MS;
    do {
      for (const batchEnd = answer + TRIES_PER_CLOCK_READING; answer < batchEnd; answer += 1) {
        const proof = `${challenge}:${answer}`;
        if (Math.clz32(sha256FirstWord(proof)) >= bits) return proof;
      }
    } while (performance.now() < sliceEnd);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const words = new Int32Array(64);

/** The first 32 bits of the SHA-256 of a short ASCII text. WebCrypto is slower for one block, and missing without TLS. */
export function sha256FirstWord(text: string): number {
  const length = text.length;
  if (length > MAX_BLOCK_TEXT_LENGTH) throw new RangeError("The challenge is too long.");
  words.fill(0, 0, 16);
  for (let index = 0; index < length; index += 1) setByte(index, text.charCodeAt(index));
  setByte(length, 0x80);
  words[15] = length * 8;
  for (let index = 16; index < 64; index += 1) {
    const early = wordAt(words, index - 15);
    const late = wordAt(words, index - 2);
    const sum0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const sum1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = wordAt(words, index - 16) + sum0 + wordAt(words, index - 7) + sum1;
  }
  return compressedFirstWord();
}

function compressedFirstWord(): number {
  let a = wordAt(INITIAL, 0);
  let b = wordAt(INITIAL, 1);
  let c = wordAt(INITIAL, 2);
  let d = wordAt(INITIAL, 3);
  let e = wordAt(INITIAL, 4);
  let f = wordAt(INITIAL, 5);
  let g = wordAt(INITIAL, 6);
  let h = wordAt(INITIAL, 7);
  for (let index = 0; index < 64; index += 1) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const next1 = (h + sum1 + ((e & f) ^ (~e & g)) + wordAt(ROUND, index) + wordAt(words, index)) | 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const next2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + next1) | 0;
    d = c;
    c = b;
    b = a;
    a = (next1 + next2) | 0;
  }
  return (a + wordAt(INITIAL, 0)) >>> 0;
}

function wordAt(array: Int32Array, index: number): number {
  return array[index] ?? 0;
}

function setByte(index: number, value: number): void {
  words[index >> 2] = wordAt(words, index >> 2) | (value << (24 - 8 * (index & 3)));
}

function rotate(word: number, count: number): number {
  return (word >>> count) | (word << (32 - count));
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}
