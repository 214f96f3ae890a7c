// Reads passes by the format that docs/bookings.md describes, with WebCrypto and nothing of the product.
// Usage: node read_passes.mjs < ASKED.json, an object with the public `keys` and the `passes`, all in base64url.
// Prints a JSON array: for each pass its content and code, or null if no key has signed it.

import { readFileSync } from "node:fs";
import process from "node:process";

const CONTEXT = Buffer.from("porchlight pass\0");
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const asked = JSON.parse(readFileSync(0, "utf8"));
const { subtle } = globalThis.crypto;
const keys = await Promise.all(
  asked.keys.map((key) => subtle.importKey("raw", Buffer.from(key, "base64url"), "Ed25519", false, ["verify"])),
);

const uuid = (bytes) => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

async function read(text) {
  const bytes = Buffer.from(text, "base64url");
  const body = bytes.subarray(0, 41);
  const signed = Buffer.concat([CONTEXT, body]);
  const checks = await Promise.all(keys.map((key) => subtle.verify("Ed25519", key, bytes.subarray(41), signed)));
  if (bytes.length !== 105 || body[0] !== 1 || !checks.includes(true)) return null;
  const hash = Buffer.from(await subtle.digest("SHA-256", bytes));
  let number = BigInt(`0x${hash.subarray(0, 5).toString("hex")}`);
  let code = "";
  for (let position = 0; position < 8; position += 1) {
    code = ALPHABET[Number(number % 32n)] + code;
    number /= 32n;
  }
  return {
    bookingId: uuid(body.subarray(1, 17)),
    tenantId: uuid(body.subarray(17, 33)),
    startsAt: body.readUInt32BE(33),
    minutes: body.readUInt16BE(37),
    sequence: body.readUInt16BE(39),
    code,
  };
}

process.stdout.write(JSON.stringify(await Promise.all(asked.passes.map(read))));
