import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";

/** One answer of the real API: the status, and the body as sent. */
export type Answer = { status: number; body: unknown };
/** A user of the demo, or a visitor, with what a browser keeps of the sign-in. */
export type Viewer = { uid: string; email: string; displayName: string };
/** What the recorder prepared in a running demo (tests/record_answers.py). */
type Recording = {
  answersFile: string;
  port: number;
  host: string;
  viewers: Record<string, Viewer & { cookie: string }>;
  examples: Record<string, string>;
};
type Recorded = {
  recordedAt: string;
  viewers: Record<string, Viewer>;
  examples: Record<string, string>;
  /** By viewer, then by method and URL below /api. */
  answers: Record<string, Record<string, Answer>>;
};

const FILE = `${import.meta.dirname}/answers.gen.json`;
/** The limit of one recorded call. Without it, a call without an answer would keep the page from settling for good. */
const ASK_TIMEOUT_MS = 60_000;
const DAY_MS = 86_400_000;
/** Free times are asked for as many days as a page needs. One answer of the most days is recorded for all of them. */
const DAYS = /(?<=slots\?from=[\d-]+&days=)\d+/;
const MOST_DAYS = "62";
const DATE = /(["=])(\d{4}-\d{2}-\d{2})(?=["T])/g;

const recording = process.env.RECORD_FROM
  ? (JSON.parse(readFileSync(process.env.RECORD_FROM, "utf-8")) as Recording)
  : null;
const recorded = load();

export const { viewers, examples } = recorded;
/** The instant at which the answers are true. */
export const answeredAt = Date.parse(recorded.recordedAt);

/** Read the answers, and move their times by whole days, so that what was soon then is soon now. */
function load(): Recorded {
  if (recording) {
    const viewers = Object.fromEntries(
      Object.entries(recording.viewers).map(([name, { uid, email, displayName }]) => [
        name,
        { uid, email, displayName },
      ]),
    );
    // The other test file's, if each has its own copy of this module.
    const { answersFile } = recording;
    const before = existsSync(answersFile) ? (JSON.parse(readFileSync(answersFile, "utf-8")) as Recorded).answers : {};
    return { recordedAt: new Date().toISOString(), viewers, examples: recording.examples, answers: before };
  }
  const text = readFileSync(FILE, "utf-8");
  const { recordedAt } = JSON.parse(text) as Recorded;
  const days = Math.floor((Date.now() - Date.parse(recordedAt)) / DAY_MS);
  const move = (date: string) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
  return JSON.parse(text.replace(DATE, (_, before: string, date: string) => before + move(date))) as Recorded;
}

/** Return the key of a call. Dates in it differ from day to day, and so do the days that a month still has. */
export function answerKey(method: string, url: string): string {
  const key = `${method} ${decodeURIComponent(url)}`
    .replace(/\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?/g, "DATE")
    .replace(/(?<=from=DATE&days=)\d+/, "DAYS");
  return key.replace(/^GET /, "");
}

/** Return the recorded answer to a call; undefined if the recorder never saw it. */
export async function answerTo(
  viewer: string,
  method: string,
  url: string,
  init: RequestInit,
): Promise<Answer | undefined> {
  const key = answerKey(method, url);
  const answers = (recorded.answers[viewer] ??= {});
  if (recording) answers[key] ??= await ask(recording, viewer, method, url.replace(DAYS, MOST_DAYS), init);
  return answers[key];
}

/** Write what was recorded, if this run records. */
export function saveAnswers() {
  if (!recording) return;
  const lines = Object.entries(recorded.answers)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([viewer, answers]) => {
      const rows = Object.entries(answers)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, answer]) => `      ${JSON.stringify(key)}: ${JSON.stringify(answer)}`);
      return `    ${JSON.stringify(viewer)}: {\n${rows.join(",\n")}\n    }`;
    });
  const head = (["recordedAt", "viewers", "examples"] as const)
    .map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(recorded[name])}`)
    .join(",\n");
  writeFileSync(recording.answersFile, `{\n${head},\n  "answers": {\n${lines.join(",\n")}\n  }\n}\n`);
}

function ask(
  { port, host, viewers: all }: Recording,
  viewer: string,
  method: string,
  url: string,
  init: RequestInit,
): Promise<Answer> {
  const headers: Record<string, string> = {
    ...Object.fromEntries(new Headers(init.headers)),
    host,
    origin: `http://${host}`,
  };
  const cookie = all[viewer]?.cookie;
  if (cookie) headers.cookie = cookie;
  delete headers.authorization;
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: `/api${url}`, method, headers, timeout: ASK_TIMEOUT_MS };
    const call = request(options, (response) => {
      let text = "";
      response.setEncoding("utf-8");
      response.on("data", (part: string) => (text += part));
      response.on("error", reject);
      response.on("end", () => {
        const isJson = response.headers["content-type"]?.includes("json");
        resolve({ status: response.statusCode ?? 0, body: isJson ? (JSON.parse(text) as unknown) : text });
      });
    });
    call.on("timeout", () => call.destroy(new Error("The API did not answer in time.")));
    call.on("error", reject);
    call.end(typeof init.body === "string" ? init.body : undefined);
  });
}
