import { afterEach, expect, test, vi } from "vitest";

import { loadFallback } from "./load-fallback";

function createLocation(host: string) {
  return {
    hostname: host,
    host,
    protocol: "https:",
    origin: `https://${host}`,
    pathname: "/",
    replace: vi.fn(),
    reload: vi.fn(),
  };
}

function stubBrowser(status: number, navigation: "navigate" | "reload") {
  vi.stubGlobal(
    "fetch",
    vi.fn(() => Promise.resolve(new Response("{}", { status }))),
  );
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: navigation }] as unknown as PerformanceEntryList);
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("404 on the first load reloads the page", async () => {
  stubBrowser(404, "navigate");
  const location = createLocation("bakery.example");
  expect(await loadFallback("/", location)).toEqual({ kind: "loading" });
  expect(location.reload).toHaveBeenCalledOnce();
});

test("404 after a reload gives not-found", async () => {
  stubBrowser(404, "reload");
  const location = createLocation("unknown.porchlight.localhost");
  expect((await loadFallback("/", location)).kind).toBe("not-found");
  expect(location.reload).not.toHaveBeenCalled();
});

test("API outage on a custom domain uses the built-in guru", async () => {
  stubBrowser(503, "navigate");
  const location = createLocation("bakery.example");
  const state = await loadFallback("/", location);
  expect(state.kind).toBe("ready");
  expect(location.reload).not.toHaveBeenCalled();
});
