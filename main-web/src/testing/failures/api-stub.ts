import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { surviveTranslation } from "@/lib/translated-pages";
import { answeredAt, answerTo, saveAnswers } from "./recorded-answers";

export type Fate = "answer" | "fail" | "abort" | "hold";
export type Call = { method: string; path: string };

/** No page may show this text of an error's body. */
export const HIDDEN_TEXT = "The boiler burst.";
const ERROR = { success: false, error: { code: "boiler_burst", message: HIDDEN_TEXT } };

/** Answers the app's calls with recorded answers, or lets them fail. */
class ApiStub {
  viewer = "visitor";
  /** The calls under way, apart from those that are held back. */
  pending = 0;
  calls: Call[] = [];
  /** Calls without a recorded answer. */
  unknown = new Set<string>();
  private fate: (call: Call) => Fate = () => "answer";
  private released = Promise.resolve();
  private releaseAll: () => void = () => undefined;

  /** Let calls have this fate from now on. */
  decide(fate: (call: Call) => Fate) {
    this.fate = fate;
    this.calls = [];
    this.released = new Promise((resolve) => (this.releaseAll = resolve));
  }

  /** Answer all calls from now on, also those that were held back. */
  release(fate: (call: Call) => Fate = () => "answer") {
    this.fate = fate;
    this.releaseAll();
  }

  fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const address = new URL(input instanceof Request ? input.url : input, "http://porchlight.test");
    const method = init.method ?? "GET";
    const call = { method, path: address.pathname };
    this.calls.push(call);
    const { viewer } = this;
    let fate = this.fate(call);
    if (fate === "hold") {
      await Promise.race([this.released, aborted(init.signal)]);
      fate = this.fate(call);
    }
    this.pending += 1;
    try {
      if (fate === "abort") throw new TypeError("Failed to fetch");
      if (fate === "fail") return json(500, ERROR);
      const url = address.pathname.replace(/^\/api/, "") + address.search;
      const answer = await answerTo(viewer, method, url, init).catch((reason: unknown) => {
        this.unknown.add(`${viewer}: ${method} ${url}: ${String(reason)}`);
        throw reason;
      });
      if (!answer) this.unknown.add(`${viewer}: ${method} ${url}`);
      return answer ? json(answer.status, answer.body) : json(404, { success: false });
    } finally {
      this.pending -= 1;
    }
  };
}

/** Uploads use it for their progress. */
class StubRequest {
  upload: { onprogress?: (event: ProgressEvent) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = "";
  private method = "";
  private url = "";

  open(method: string, url: string) {
    this.method = method;
    this.url = url;
  }
  setRequestHeader() {
    // The answers don't depend on headers.
  }
  getResponseHeader = (name: string) => (name === "Content-Type" ? "application/json" : null);
  abort = () => this.onabort?.();
  send() {
    api.fetch(this.url, { method: this.method }).then(
      async (response) => {
        this.status = response.status;
        this.responseText = await response.text();
        this.onload?.();
      },
      () => this.onerror?.(),
    );
  }
}

/** jsdom has no layout. */
class NoObserver {
  observe = () => undefined;
  disconnect = () => undefined;
}

export const api = new ApiStub();

/** Answer the calls of this file's tests. */
export function stubApi() {
  beforeEach(() => {
    vi.setSystemTime(answeredAt);
    api.unknown.clear();
  });
  beforeAll(() => {
    // Time stands still: whether a page polls, or checks what was typed a moment ago, would depend on the machine.
    const soon = globalThis.setTimeout;
    vi.stubGlobal("setTimeout", (run: () => void, delay = 0) => (delay > 0 ? 0 : soon(run, 0)));
    vi.stubGlobal("setInterval", () => 0);
    vi.stubGlobal("ResizeObserver", NoObserver);
    vi.stubGlobal("fetch", api.fetch);
    vi.stubGlobal("XMLHttpRequest", StubRequest);
  });
  beforeAll(() => surviveTranslation());
  afterAll(() => {
    vi.unstubAllGlobals();
    saveAnswers();
  });
  return api;
}

function json(status: number, body: unknown): Response {
  if (status === 204) return new Response(null, { status });
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

function aborted(signal?: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
  });
}
