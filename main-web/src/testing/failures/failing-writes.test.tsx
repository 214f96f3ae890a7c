import { readdirSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { stubApi } from "./api-stub";
import { closePage } from "./app-page";
import { faultsOfWrite } from "./write";
import { NOT_SWEPT } from "./writes/not-swept";
import { adminWrites } from "./writes/admin";
import { consoleWrites } from "./writes/console";
import { guruWrites } from "./writes/guru";
import { neighborWrites } from "./writes/neighbor";
import { photosWrites } from "./writes/photos";
import { requestsWrites } from "./writes/requests";
import { sessionsWrites } from "./writes/sessions";
import { staffDecisionsWrites } from "./writes/staff-decisions";
import { visitorWrites } from "./writes/visitor";
import { wizardWrites } from "./writes/wizard";

/**
 * Every write of the main platform fails in three ways: with status 500, without an answer, and late. The page says so,
 * keeps what was typed, and sends nothing twice.
 */

const api = stubApi();
const SOURCE = `${import.meta.dirname}/../..`;
const CALL = /\b(?:api|plainApi)\s*\.(POST|PUT|PATCH|DELETE)\b/g;

const WRITES = [
  ...visitorWrites,
  ...neighborWrites,
  ...guruWrites,
  ...consoleWrites,
  ...adminWrites,
  ...staffDecisionsWrites,
  ...sessionsWrites,
  ...requestsWrites,
  ...wizardWrites,
  ...photosWrites,
];

// jsdom has no geolocation.
beforeAll(() =>
  Object.defineProperty(navigator, "geolocation", {
    configurable: true,
    value: {
      getCurrentPosition: (done: (position: unknown) => void) =>
        done({ coords: { latitude: 39.7392, longitude: -104.9847 } }),
    },
  }),
);
afterEach(closePage);
afterAll(() => Reflect.deleteProperty(navigator, "geolocation"));

it.each(WRITES)("a failed write says so and loses nothing: $source $method", async (write) => {
  const faults = await faultsOfWrite(write);
  expect({ faults, unanswered: [...api.unknown] }).toEqual({ faults: [], unanswered: [] });
});

it("every write in the sources has a row", () => {
  const rows = WRITES.map(({ source, method }) => `${source} ${method}`);
  expect(new Set(rows).size).toBe(rows.length);
  expect(rows.filter((row) => row in NOT_SWEPT)).toEqual([]);
  expect(new Set([...rows, ...Object.keys(NOT_SWEPT)])).toEqual(writtenInSources());
});

/** Return the file and the method of each request in the sources that is not a GET. */
function writtenInSources(): Set<string> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf-8" }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.|^testing\//.test(name),
  );
  return new Set(
    files.flatMap((file) =>
      Array.from(
        readFileSync(`${SOURCE}/${file}`, "utf-8").matchAll(CALL),
        ([, method]) => `${file.replace(/\.tsx?$/, "")} ${method}`,
      ),
    ),
  );
}
