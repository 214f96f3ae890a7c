/**
 * Passes as a guru's device reads them, without a connection. docs/bookings.md has the format: 41 bytes of content and
 * an Ed25519 signature, as base64url in the QR code.
 */
const BYTES = 105;
const BODY_BYTES = 41;
const VERSION = 1;
const CONTEXT = new TextEncoder().encode("porchlight pass\0");
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const HALF_CODE = 4;

export type ReadPass = {
  text: string;
  bookingId: string;
  tenantId: string;
  startsAt: string;
  sequence: number;
  /** The code that a roster has for the pass. Only who signed a pass can know it. */
  code: string;
  /** Whether one of the keys has signed it; null where the browser can't tell. */
  isSigned: boolean | null;
};

/** Read the text of a QR code. Returns null if it is no pass. */
export async function readPass(text: string, keys: readonly string[]): Promise<ReadPass | null> {
  const bytes = decodeBase64Url(text);
  if (bytes?.length !== BYTES || bytes[0] !== VERSION) return null;
  const view = new DataView(bytes.buffer);
  return {
    text,
    bookingId: uuidAt(bytes, 1),
    tenantId: uuidAt(bytes, 17),
    startsAt: new Date(view.getUint32(33) * 1000).toISOString(),
    sequence: view.getUint16(39),
    code: await codeOf(bytes),
    isSigned: await isSigned(bytes, keys),
  };
}

/** Bring a typed code into its form: O is 0, I and L are 1, and spaces and dashes do not count. */
export function normalCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
}

/** Tell whether a text can be a code. */
export const isCode = (code: string) => /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code);

/** Format a code for reading aloud: "KX4P 7M2Q". */
export const formatCode = (code: string) => `${code.slice(0, HALF_CODE)} ${code.slice(HALF_CODE)}`;

function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  } catch {
    return null;
  }
}

function uuidAt(bytes: Uint8Array, start: number): string {
  const hex = Array.from(bytes.subarray(start, start + 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

async function codeOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const bits = Array.from(hash.subarray(0, 5), (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET.charAt(parseInt(five, 2))).join("");
}

async function isSigned(bytes: Uint8Array<ArrayBuffer>, keys: readonly string[]): Promise<boolean | null> {
  const signed = new Uint8Array([...CONTEXT, ...bytes.subarray(0, BODY_BYTES)]);
  const signature = bytes.slice(BODY_BYTES);
  try {
    for (const text of keys) {
      const raw = decodeBase64Url(text);
      if (!raw) continue;
      const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
      if (await crypto.subtle.verify("Ed25519", key, signature, signed)) return true;
    }
    return false;
  } catch {
    return null; // a browser without Ed25519
  }
}
