import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiError, createClient } from "./client";

type Reply = { status?: number; type?: string; body?: string; headers?: Record<string, string> };

let server: Server;
let base: string;
let seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
let reply: Reply | "hang up" | "never" = {};
/** The token that is no good any more: whoever shows it is refused. */
let refused: string | null = null;

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      if (refused !== null && request.headers.authorization === `Bearer ${refused}`) {
        response.writeHead(401, { "Content-Type": "application/json" });
        return void response.end('{"success":false,"error":{"code":"unauthenticated","message":"no"}}');
      }
      if (reply === "hang up") return void request.socket.destroy();
      if (reply === "never") return;
      response.writeHead(reply.status ?? 200, { "Content-Type": reply.type ?? "application/json", ...reply.headers });
      response.end(reply.body ?? '{"success":true,"data":{"ok":1}}');
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  seen = [];
  reply = {};
  refused = null;
});

async function refusalOf(call: Promise<unknown>): Promise<ApiError> {
  const reason: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(reason instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(reason)}`);
  return reason;
}

describe("a call that succeeds", () => {
  it("gives the answer's data", async () => {
    await expect(createClient({ base }).get("/home")).resolves.toEqual({ ok: 1 });
  });

  it("gives the whole body where there is no data", async () => {
    reply = { body: '{"success":true,"guru":{"character":"Chef"}}' };
    await expect(createClient({ base }).get("/x")).resolves.toEqual({ success: true, guru: { character: "Chef" } });
  });

  it("parses JSON only when the answer says it is JSON", async () => {
    reply = { type: "text/plain", body: '{"data":1}' };
    await expect(createClient({ base }).get("/x")).resolves.toBeUndefined();
    reply = { status: 204, body: "" };
    await expect(createClient({ base }).delete("/x")).resolves.toBeUndefined();
  });

  it("sends JSON, headers and only filled query parameters", async () => {
    await createClient({ base }).post("/contact", {
      body: { name: "Ada" },
      headers: { "Idempotency-Key": "k1" },
      query: { a: "1 2", b: "", c: undefined, d: null, e: 0, f: false },
    });
    expect(seen[0]).toMatchObject({ method: "POST", url: "/api/contact?a=1+2&e=0&f=false", body: '{"name":"Ada"}' });
    expect(seen[0]?.headers).toMatchObject({ "content-type": "application/json", "idempotency-key": "k1" });
  });

  it("sends a picture as what it is", async () => {
    await createClient({ base }).put("/auth/photo", { body: new Blob(["pixels"], { type: "image/png" }) });
    expect(seen[0]).toMatchObject({ method: "PUT", body: "pixels", headers: { "content-type": "image/png" } });
  });

  it("gives a file as it came", async () => {
    reply = { type: "application/zip", body: "PK..." };
    const file = await createClient({ base }).file("/auth/export");
    expect([file.type, await file.text()]).toEqual(["application/zip", "PK..."]);
  });
});

describe("the token", () => {
  it("goes as Bearer", async () => {
    await createClient({ base, getToken: async () => "t0ken" }).get("/x");
    expect(seen[0]?.headers.authorization).toBe("Bearer t0ken");
  });

  it("is left out when nobody is signed in", async () => {
    await createClient({ base, getToken: async () => null }).get("/x");
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });

  it("that cannot be had is warned about, and the call goes without it", async () => {
    const warnings: unknown[] = [];
    const client = createClient({
      base,
      getToken: () => Promise.reject(new Error("no token today")),
      warn: (_message, reason) => warnings.push(reason),
    });
    await expect(client.get("/x")).resolves.toEqual({ ok: 1 });
    expect(warnings).toEqual([new Error("no token today")]);
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });
});

describe("a token that is refused", () => {
  it("is renewed, and the call goes once more", async () => {
    refused = "old";
    const client = createClient({ base, getToken: async () => "old", renewToken: async () => "new" });
    await expect(client.post("/x", { body: { a: 1 } })).resolves.toEqual({ ok: 1 });
    expect(seen.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ["Bearer old", '{"a":1}'],
      ["Bearer new", '{"a":1}'],
    ]);
  });

  it.each([
    ["there is no other", async () => null],
    ["no other can be had", () => Promise.reject(new Error("offline"))],
    ["the other is refused too", async () => "old"],
  ])("stays refused when %s", async (_why, renewToken) => {
    refused = "old";
    const client = createClient({ base, getToken: async () => "old", renewToken, warn: () => undefined });
    await expect(refusalOf(client.get("/x"))).resolves.toMatchObject({
      status: 401,
      message: "Authentication required. Please sign in and try again.",
    });
    expect(seen.length).toBeLessThanOrEqual(2);
  });

  it("is not what another key's refusal is about", async () => {
    reply = { status: 401, body: '{"success":false,"error":{"code":"invalid_admin_key","message":"Invalid admin key"}}' };
    let renewed = 0;
    const client = createClient({ base, getToken: async () => "good", renewToken: async () => String(++renewed) });
    await refusalOf(client.post("/admin/login", { body: { key: "x" } }));
    expect([seen.length, renewed]).toEqual([1, 0]);
  });
});

describe("a call that fails (SPEC 8.2)", () => {
  it("says so for a file too", async () => {
    reply = { status: 403, body: '{"success":false,"error":{"code":"forbidden"}}' };
    await expect(refusalOf(createClient({ base }).file("/auth/export"))).resolves.toMatchObject({ status: 403, code: "forbidden" });
  });

  const said = '{"success":false,"error":{"code":"some_code","message":"The server\'s words","fields":{"name":"Too long"}}}';

  it.each([
    [401, "Authentication required. Please sign in and try again."],
    [403, "Access denied. You don't have permission to perform this action."],
    [429, "Too many requests. Please wait a moment and try again."],
    [500, "Server error. Please try again later."],
    [503, "Server error. Please try again later."],
    [422, "The server's words"],
    [404, "The server's words"],
  ])("%i", async (status, words) => {
    reply = { status, body: said };
    const error = await refusalOf(createClient({ base }).get("/x"));
    expect(error).toMatchObject({ message: words, status, code: "some_code", fields: { name: "Too long" } });
    expect(seen).toHaveLength(1);
  });

  it("without a message", async () => {
    for (const body of ["{}", "not json", '{"error":{}}', "[]", "null"]) {
      reply = { status: 400, body };
      const error = await refusalOf(createClient({ base }).get("/x"));
      expect(error.message).toBe("Request failed. Please check your connection and try again.");
    }
  });

  it("with status 200 and success false", async () => {
    reply = { body: '{"success":false,"message":"Guru Not Found"}' };
    const error = await refusalOf(createClient({ base }).get("/x"));
    expect(error.message).toBe("Guru Not Found");
  });

  it("says when to come back", async () => {
    reply = { status: 429, body: said, headers: { "Retry-After": "12" } };
    expect((await refusalOf(createClient({ base }).get("/x"))).retryAfter).toBe(12);
  });

  it("because the connection broke: once, never again in secret", async () => {
    reply = "hang up";
    const error = await refusalOf(createClient({ base }).post("/x", { body: {} }));
    expect(error).toMatchObject({ status: 0, code: "network" });
    expect(error.message).toBe("Network error. Please check your internet connection.");
    expect(seen).toHaveLength(1);
  });

  it("because no answer came in time", async () => {
    reply = "never";
    const error = await refusalOf(createClient({ base, timeout: 50 }).get("/x"));
    expect(error.message).toBe("Network error. Please check your internet connection.");
  });

  it("passes the caller's own abort through", async () => {
    reply = "never";
    const stop = new AbortController();
    const call = createClient({ base }).get("/x", { signal: stop.signal });
    stop.abort();
    await expect(call).rejects.toHaveProperty("name", "AbortError");
  });
});
