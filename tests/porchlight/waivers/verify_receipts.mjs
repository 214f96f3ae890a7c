// A second verifier of waiver receipts, written from readmes/1.txt and RFC 8785 without the product's code.
// Usage: node verify_receipts.mjs FOLDER KEYS.json README-SHA256
// Prints a JSON object: the name of each file in FOLDER, and whether it is a valid receipt.

import { createHash, createPublicKey, verify } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

const ORDER = ["README.txt", "waiver.json", "waiver.pdf", "proof.json", "erasable.json"];
const LINK_MEMBERS = ["at", "chainId", "keyId", "number", "pdfSha256", "previous", "recordSha256"];
const JANUARY_1_1980 = 33;

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const requireThat = (condition, message) => {
  if (!condition) throw new Error(message);
};
const requireMembers = (object, names) =>
  requireThat(
    isObject(object) && Object.keys(object).sort().join() === [...names].sort().join(),
    `other members than ${names}`,
  );
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function canonicalize(value) {
  if (typeof value === "string") {
    requireThat(value.isWellFormed(), "lone surrogate");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(",")}]`;
  if (isObject(value)) {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${canonicalize(name)}:${canonicalize(value[name])}`).join(",")}}`;
  }
  requireThat(Number.isSafeInteger(value), "neither a string nor an integer");
  return String(value);
}

function parseCanonical(bytes) {
  const value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  requireThat(Buffer.from(canonicalize(value)).equals(bytes), "not canonical");
  requireThat(isObject(value), "not an object");
  return value;
}

function decodeBase64url(text) {
  requireThat(typeof text === "string", "not a text");
  const bytes = Buffer.from(text, "base64url");
  requireThat(bytes.toString("base64url") === text, "not base64url");
  return bytes;
}

/** Read the local file headers, then write the whole ZIP file again: both must be equal. */
function unpack(zip) {
  const files = new Map();
  let offset = 0;
  while (zip.readUInt32LE(offset) === 0x04034b50) {
    const size = zip.readUInt32LE(offset + 22);
    const nameEnd = offset + 30 + zip.readUInt16LE(offset + 26);
    files.set(zip.toString("latin1", offset + 30, nameEnd), zip.subarray(nameEnd, nameEnd + size));
    offset = nameEnd + size;
  }
  requireThat(pack(files).equals(zip), "not packed as issued");
  return files;
}

function pack(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const name of ORDER.filter((known) => files.has(known))) {
    const content = files.get(name);
    const common = Buffer.alloc(26); // from "version needed" to "extra field length"
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(JANUARY_1_1980, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), common, Buffer.from(name), content);
    const tail = Buffer.alloc(14); // from "comment length" to "offset"
    tail.writeUInt32LE((0o644 << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common, tail, Buffer.from(name));
    offset += 30 + name.length + content.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directoryBytes, end]);
}

function verifyReceipt(zip, publishedKeys, readmeSha256) {
  const files = unpack(zip);
  for (const name of ORDER.slice(0, 4)) requireThat(files.has(name), `${name} is missing`);
  requireThat(sha256(files.get("README.txt")) === readmeSha256, "README.txt");

  const record = parseCanonical(files.get("waiver.json"));
  const proof = parseCanonical(files.get("proof.json"));
  requireMembers(proof, ["format", "link", "linkSha256", "publicKey", "signature"]);
  requireThat(proof.format === 1, "format");
  const { link } = proof;
  requireMembers(link, LINK_MEMBERS);
  requireThat(link.recordSha256 === sha256(files.get("waiver.json")), "record hash");
  requireThat(link.pdfSha256 === sha256(files.get("waiver.pdf")), "PDF hash");
  const signed = Buffer.from(canonicalize(link));
  requireThat(proof.linkSha256 === sha256(signed), "link hash");

  const jwk = publishedKeys.find((key) => key.kid === link.keyId);
  requireThat(jwk !== undefined && canonicalize(jwk) === canonicalize(proof.publicKey), "key");
  const key = createPublicKey({ key: jwk, format: "jwk" });
  requireThat(verify(null, signed, key, decodeBase64url(proof.signature)), "signature");

  if (files.has("erasable.json")) {
    const erasable = parseCanonical(files.get("erasable.json"));
    requireThat(Object.keys(erasable).length > 0, "empty erasable.json");
    for (const [name, kept] of Object.entries(erasable)) {
      requireMembers(kept, ["salt", "value"]);
      requireThat(record.commitments[name] === sha256(canonicalize([kept.salt, kept.value])), "commitment");
    }
  }
}

const [folder, keysFile, readmeSha256] = process.argv.slice(2);
const { keys } = JSON.parse(readFileSync(keysFile, "utf8"));
const verdicts = {};
for (const name of readdirSync(folder)) {
  try {
    verifyReceipt(readFileSync(join(folder, name)), keys, readmeSha256);
    verdicts[name] = true;
  } catch {
    verdicts[name] = false;
  }
}
process.stdout.write(JSON.stringify(verdicts));
