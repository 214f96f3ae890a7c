import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, vi } from "vitest";

export type ApiCall = { route: string; headers: Record<string, string | string[] | undefined>; body: unknown };
type FakeResponse = { status?: number; body?: unknown };

/**
 * Start an HTTP server for the app's relative URLs. Routes are "GET /api/home"; others answer 404.
 * @returns the responses to set and the recorded requests, both reset after each test
 */
export function apiServer() {
  const responses = new Map<string, FakeResponse | ((call: ApiCall) => FakeResponse | Promise<FakeResponse>)>();
  const calls: ApiCall[] = [];
  let base = "";

  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const respond = async () => {
      const allow = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": request.headers["access-control-request-headers"] ?? "",
      };
      if (request.method === "OPTIONS") {
        response.writeHead(204, allow).end(); // jsdom's XMLHttpRequest sends a preflight to the other origin.
        return;
      }
      const route = `${request.method} ${request.url}`;
      const call: ApiCall = { route, headers: request.headers, body: read(text, request.headers["content-type"]) };
      calls.push(call);
      const responder = responses.get(route) ?? responses.get(route.split("?")[0] ?? route);
      const fakeResponse = typeof responder === "function" ? await responder(call) : responder;
      const { status = fakeResponse ? 200 : 404, body = {} } = fakeResponse ?? {};
      response.writeHead(status, { ...allow, "Content-Type": "application/json" });
      response.end(JSON.stringify(status < 400 ? { success: true, data: body } : { success: false, error: body }));
    };
    request.on("end", () => void respond());
  });

  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const real = globalThis.fetch;
    vi.stubGlobal("fetch", (input: string, init: RequestInit = {}) => {
      // jsdom's AbortSignal is incompatible with Node's fetch.
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
    responses.clear();
    calls.length = 0;
  });

  afterAll(() => {
    vi.unstubAllGlobals();
    server.closeAllConnections();
    server.close();
  });

  return { responses, calls };
}

/** Return a response that the server holds back until `release` is called, to see what a page shows meanwhile. */
export function heldResponse(body: unknown) {
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const responder = async () => {
    await released;
    return { body };
  };
  return { responder, release: () => release?.() };
}

/** Return parsed JSON, or any other body unchanged. */
function read(text: string, type = ""): unknown {
  if (!text) return undefined;
  return type.startsWith("application/json") ? (JSON.parse(text) as unknown) : text;
}
