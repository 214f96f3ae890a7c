import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, vi } from "vitest";

export type ApiCall = { route: string; headers: Record<string, string | string[] | undefined>; body: unknown };
type Answer = { status?: number; body?: unknown };

/**
 * A real HTTP server for the app's relative addresses. Routes are "GET /api/home"; unset ones answer 404.
 * @returns the answers to set and the calls that came in, both emptied after each test
 */
export function apiServer() {
  const answers = new Map<string, Answer | ((call: ApiCall) => Answer | Promise<Answer>)>();
  const calls: ApiCall[] = [];
  let base = "";

  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const answered = async () => {
      const allow = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": request.headers["access-control-request-headers"] ?? "" };
      if (request.method === "OPTIONS") {
        response.writeHead(204, allow).end(); // jsdom's XMLHttpRequest takes us for another site
        return;
      }
      const route = `${request.method} ${request.url}`;
      const call: ApiCall = { route, headers: request.headers, body: read(text, request.headers["content-type"]) };
      calls.push(call);
      const found = answers.get(route) ?? answers.get(route.split("?")[0] ?? route);
      const answer = typeof found === "function" ? await found(call) : found;
      const { status = answer ? 200 : 404, body = {} } = answer ?? {};
      response.writeHead(status, { ...allow, "Content-Type": "application/json" });
      response.end(JSON.stringify(status < 400 ? { success: true, data: body } : { success: false, error: body }));
    };
    request.on("end", () => void answered());
  });

  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const real = globalThis.fetch;
    vi.stubGlobal("fetch", (input: string, init: RequestInit = {}) => {
      // jsdom's AbortSignal is not the one Node's fetch knows.
      return real(new URL(input, base), { ...init, signal: null });
    });
    class OurRequest extends XMLHttpRequest {
      override open(method: string, url: string | URL) {
        super.open(method, new URL(url, base), true);
      }
    }
    vi.stubGlobal("XMLHttpRequest", OurRequest);
  });

  afterEach(() => {
    answers.clear();
    calls.length = 0;
  });

  afterAll(() => {
    vi.unstubAllGlobals();
    server.closeAllConnections();
    server.close();
  });

  return { answers, calls };
}

/** JSON as what it says; anything else as it came. */
function read(text: string, type = ""): unknown {
  if (!text) return undefined;
  return type.startsWith("application/json") ? (JSON.parse(text) as unknown) : text;
}
