import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { API_ERROR_TEXTS } from "./api-errors";
import { ApiError, createClient, fieldErrors } from "./client";

type StubResponse = { status?: number; type?: string; body?: string; headers?: Record<string, string> };

let server: Server;
let base: string;
let requests: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
let stubResponse: StubResponse | "disconnect" | "never" = {};
/** The server rejects requests with this token. */
let rejectedToken: string | null = null;

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      if (rejectedToken !== null && request.headers.authorization === `Bearer ${rejectedToken}`) {
        response.writeHead(401, { "Content-Type": "application/json" });
        return void response.end('{"success":false,"error":{"code":"unauthenticated","message":"no"}}');
      }
      if (stubResponse === "disconnect") return void request.socket.destroy();
      if (stubResponse === "never") return;
      response.writeHead(stubResponse.status ?? 200, {
        "Content-Type": stubResponse.type ?? "application/json",
        ...stubResponse.headers,
      });
      response.end(stubResponse.body ?? '{"success":true,"data":{"ok":1}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  requests = [];
  stubResponse = {};
  rejectedToken = null;
});

async function rejectionOf(call: Promise<unknown>): Promise<ApiError> {
  const reason: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(reason instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(reason)}`);
  return reason;
}

describe("successful call", () => {
  it("returns the data of the body", async () => {
    await expect(createClient({ base }).GET("/home")).resolves.toEqual({ ok: 1 });
  });

  it("returns the whole body without data", async () => {
    stubResponse = { body: '{"success":true,"guru":{"character":"Chef"}}' };
    await expect(createClient({ base }).GET("/home")).resolves.toEqual({ success: true, guru: { character: "Chef" } });
  });

  it("may have a list, or no body", async () => {
    stubResponse = { body: '[{"slug":"music"}]' };
    await expect(createClient({ base }).GET("/home")).resolves.toEqual([{ slug: "music" }]);
    stubResponse = { status: 204, body: "" };
    await expect(
      createClient({ base }).DELETE("/angel-services/{service_id}", { params: { path: { service_id: "s1" } } }),
    ).resolves.toBeUndefined();
  });

  it.each([
    ["text/html", "<title>Welcome to Hotel Wi-Fi</title>"],
    ["text/plain", '{"success":true,"data":1}'],
    ["application/json", '{"success":true,'],
    ["application/json", '{"portal":"https://wifi.example/login"}'],
    ["application/json", "{}"],
  ])("is not what a network on the way answers: %s %s", async (type, body) => {
    stubResponse = { type, body };
    const error = await rejectionOf(createClient({ base }).GET("/home"));
    expect([error.status, error.code, error.message]).toEqual([0, "network", API_ERROR_TEXTS.network]);
  });

  it("is no file when a network on the way answers", async () => {
    stubResponse = { type: "text/html; charset=utf-8", body: "<title>Welcome</title>" };
    expect((await rejectionOf(createClient({ base }).FILE("/auth/export"))).code).toBe("network");
  });

  it("sends JSON, headers and non-empty query parameters", async () => {
    await createClient({ base }).GET("/search", {
      params: { query: { q: "1 2", near: "", kind: undefined, day: null, withinMiles: 0 } },
      headers: { "Porchlight-Proof": "p1" },
    });
    await createClient({ base }).PUT("/guru/domains/main", {
      body: { domain: "ada.example" },
      headers: { "Idempotency-Key": "k1" },
    });
    expect(requests[0]).toMatchObject({ method: "GET", url: "/api/search?q=1+2&withinMiles=0", body: "" });
    expect(requests[0]?.headers).toMatchObject({ "porchlight-proof": "p1", accept: "application/json" });
    expect(requests[0]?.headers["content-type"]).toBeUndefined();
    expect(requests[1]).toMatchObject({
      method: "PUT",
      url: "/api/guru/domains/main",
      body: '{"domain":"ada.example"}',
    });
    expect(requests[1]?.headers).toMatchObject({ "content-type": "application/json", "idempotency-key": "k1" });
  });

  it("sends a list under one name, and quotes parameters in the path", async () => {
    await createClient({ base }).GET("/porch-lights", { params: { query: { handle: ["ada", "bea"], site: [] } } });
    await createClient({ base }).GET("/users/{handle}", { params: { path: { handle: "a/b c" } } });
    expect(requests.map(({ url }) => url)).toEqual(["/api/porch-lights?handle=ada&handle=bea", "/api/users/a%2Fb%20c"]);
  });

  it("sends a Blob as raw bytes", async () => {
    await createClient({ base }).PUT("/auth/photo", { body: new Blob(["pixels"], { type: "image/png" }) });
    expect(requests[0]).toMatchObject({ method: "PUT", body: "pixels", headers: { "content-type": "image/png" } });
  });

  it("returns a file as a Blob", async () => {
    stubResponse = { type: "application/zip", body: "PK..." };
    const file = await createClient({ base }).FILE("/auth/export");
    expect([file.type, await file.text()]).toEqual(["application/zip", "PK..."]);
  });
});

describe("ID token", () => {
  it("is sent as a Bearer token", async () => {
    await createClient({ base, getToken: async () => "t0ken" }).GET("/home");
    expect(requests[0]?.headers.authorization).toBe("Bearer t0ken");
  });

  it("is omitted when signed out", async () => {
    await createClient({ base, getToken: async () => null }).GET("/home");
    expect(requests[0]?.headers.authorization).toBeUndefined();
  });

  it("is omitted with a warning when unavailable", async () => {
    const warnings: unknown[] = [];
    const client = createClient({
      base,
      getToken: () => Promise.reject(new Error("token unavailable")),
      warn: (_message, reason) => warnings.push(reason),
    });
    await expect(client.GET("/home")).resolves.toEqual({ ok: 1 });
    expect(warnings).toEqual([new Error("token unavailable")]);
    expect(requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe("rejected token", () => {
  it("is renewed for one retry", async () => {
    rejectedToken = "old";
    const client = createClient({ base, getToken: async () => "old", renewToken: async () => "new" });
    await expect(client.POST("/auth/email-change", { body: { email: "ada@example.com" } })).resolves.toEqual({ ok: 1 });
    expect(requests.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ["Bearer old", '{"email":"ada@example.com"}'],
      ["Bearer new", '{"email":"ada@example.com"}'],
    ]);
  });

  it.each([
    ["there is no new token", async () => null],
    ["renewal fails", () => Promise.reject(new Error("offline"))],
    ["the new token is rejected too", async () => "old"],
  ])("gives a 401 when %s", async (_condition, renewToken) => {
    rejectedToken = "old";
    const client = createClient({ base, getToken: async () => "old", renewToken, warn: () => undefined });
    await expect(rejectionOf(client.GET("/home"))).resolves.toMatchObject({
      status: 401,
      message: "Authentication required. Please sign in and try again.",
    });
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  it("is not renewed after an admin key error", async () => {
    stubResponse = {
      status: 401,
      body: '{"success":false,"error":{"code":"invalid_admin_key","message":"Invalid admin key"}}',
    };
    let renewed = 0;
    const client = createClient({ base, getToken: async () => "good", renewToken: async () => String(++renewed) });
    await rejectionOf(client.POST("/admin/login", { body: { key: "x" } }));
    expect([requests.length, renewed]).toEqual([1, 0]);
  });
});

describe("failed call (SPEC 8.2)", () => {
  it("throws for a file too", async () => {
    stubResponse = { status: 403, body: '{"success":false,"error":{"code":"forbidden"}}' };
    await expect(rejectionOf(createClient({ base }).FILE("/auth/export"))).resolves.toMatchObject({
      status: 403,
      code: "forbidden",
    });
  });

  const errorBody =
    '{"success":false,"error":{"code":"some_code","message":"Server message","fields":{"name":"Too long"}}}';

  it.each([
    ['{"name":"Too long"}', { name: "Too long" }],
    ['{"name":{"a":1},"city":null,"bio":"Too short"}', { bio: "Too short" }],
    ['["a"]', {}],
    ['"all"', {}],
    ["null", {}],
  ])("has only sentences of fields: %s", async (fields, expected) => {
    stubResponse = { status: 422, body: `{"success":false,"error":{"code":"invalid_input","fields":${fields}}}` };
    expect(fieldErrors(await rejectionOf(createClient({ base }).GET("/home")))).toEqual(expected);
  });

  it("knows no fields of another failure", () => {
    for (const reason of [new Error("no"), null, undefined, { fields: { name: "Too long" } }])
      expect(fieldErrors(reason)).toEqual({});
  });

  it.each([
    [401, "Authentication required. Please sign in and try again."],
    [403, "Access denied. You don't have permission to perform this action."],
    [429, "Too many requests. Please wait a moment and try again."],
    [500, "Server error. Please try again later."],
    [503, "Server error. Please try again later."],
    [422, "Server message"],
    [404, "Server message"],
  ])("has the text of status %i", async (status, text) => {
    stubResponse = { status, body: errorBody };
    const error = await rejectionOf(createClient({ base }).GET("/home"));
    expect(error).toMatchObject({ message: text, status, code: "some_code", fields: { name: "Too long" } });
    expect(requests).toHaveLength(1);
  });

  it("has a general text without a server message", async () => {
    for (const body of ["{}", "not json", '{"error":{}}', "[]", "null"]) {
      stubResponse = { status: 400, body };
      const error = await rejectionOf(createClient({ base }).GET("/home"));
      expect(error.message).toBe("Request failed. Please check your connection and try again.");
    }
  });

  it("throws for status 200 with success false", async () => {
    stubResponse = { body: '{"success":false,"message":"Guru Not Found"}' };
    const error = await rejectionOf(createClient({ base }).GET("/home"));
    expect(error.message).toBe("Guru Not Found");
  });

  it("throws for status 200 with ok false", async () => {
    stubResponse = { body: '{"ok":false,"error":{"code":"too_low","message":"The minimum is $2.00."}}' };
    expect((await rejectionOf(createClient({ base }).POST("/connect/start"))).message).toBe("The minimum is $2.00.");
  });

  it("has the seconds of Retry-After", async () => {
    stubResponse = { status: 429, body: errorBody, headers: { "Retry-After": "12" } };
    expect((await rejectionOf(createClient({ base }).GET("/home"))).retryAfter).toBe(12);
  });

  it("is not retried after a network error", async () => {
    stubResponse = "disconnect";
    const error = await rejectionOf(createClient({ base }).POST("/onboarding/publish", { body: {} }));
    expect(error).toMatchObject({ status: 0, code: "network" });
    expect(error.message).toBe("Network error. Please check your internet connection.");
    expect(requests).toHaveLength(1);
  });

  it("gives a network error after a timeout", async () => {
    stubResponse = "never";
    const error = await rejectionOf(createClient({ base, timeout: 50 }).GET("/home"));
    expect(error.message).toBe("Network error. Please check your internet connection.");
  });

  it("rethrows the caller's abort", async () => {
    stubResponse = "never";
    const controller = new AbortController();
    const call = createClient({ base }).GET("/home", { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toHaveProperty("name", "AbortError");
  });
});
