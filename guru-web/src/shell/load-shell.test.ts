import { afterEach, expect, test, vi } from "vitest";

import { loadShell } from "./load-shell";

function place(host: string) {
  return { hostname: host, host, protocol: "https:", origin: `https://${host}`, pathname: "/", replace: vi.fn(), reload: vi.fn() };
}

function world(status: number, navigation: "navigate" | "reload") {
  vi.stubGlobal("fetch", vi.fn(() => Promise.resolve(new Response("{}", { status }))));
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ type: navigation }] as unknown as PerformanceEntryList);
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("an API that is back is asked for the whole page, which alone knows whose a domain is", async () => {
  world(404, "navigate");
  const here = place("bakery.example");
  expect(await loadShell("/", here)).toEqual({ kind: "waiting" });
  expect(here.reload).toHaveBeenCalledOnce();
});

test("a guru that is not there even then is not found", async () => {
  world(404, "reload");
  const here = place("nobody.porchlight.localhost");
  expect((await loadShell("/", here)).kind).toBe("not-found");
  expect(here.reload).not.toHaveBeenCalled();
});

test("while the API is away a domain of its own shows the built-in guru", async () => {
  world(503, "navigate");
  const here = place("bakery.example");
  const state = await loadShell("/", here);
  expect(state.kind).toBe("ready");
  expect(here.reload).not.toHaveBeenCalled();
});
