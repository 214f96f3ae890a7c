import { describe, expect, it } from "vitest";
import { returnTarget } from "./return-target";

const MAIN = "https://porchlight.example:8443";

describe("a return address on this product", () => {
  it.each([
    ["/dashboard", "/dashboard"],
    ["/skills?tab=ai#match", "/skills?tab=ai#match"],
    ["/a/../profile", "/profile"],
    ["/dashboard?message=two%0Alines", "/dashboard?message=two%0Alines"],
    [`${MAIN}/profile`, "/profile"],
  ])("%s is a path of this app", (next, to) => {
    expect(returnTarget(next, MAIN)).toEqual({ kind: "path", to });
  });

  it.each(["https://cooking.porchlight.example:8443/services", "https://chef-2.porchlight.example:8443/"])(
    "%s is a guru's site",
    (next) => {
      expect(returnTarget(next, MAIN)).toEqual({ kind: "url", href: next });
    },
  );

  it("also works from www", () => {
    const target = returnTarget("https://music.porchlight.example/", "https://www.porchlight.example");
    expect(target).toEqual({ kind: "url", href: "https://music.porchlight.example/" });
  });
});

describe("a return address on another host", () => {
  it.each([
    "https://www.baker.example:8443/services#service-1",
    "https://e.example:8443/",
    "https://porchlight.example.e.example:8443/",
    "https://notporchlight.example:8443/",
    "https://xn--coking-bfg.example:8443/",
  ])("%s is checked by the server", (next) => {
    expect(returnTarget(next, MAIN)).toEqual({ kind: "url", href: `/api/auth/pass?to=${encodeURIComponent(next)}` });
  });

  it("is passed on as its normalized URL", () => {
    const target = returnTarget("https://cооking.example:8443/", MAIN);
    expect(target).toEqual({
      kind: "url",
      href: expect.stringMatching(/^\/api\/auth\/pass\?to=https%3A%2F%2Fxn--/) as string,
    });
  });
});

describe("an invalid return address", () => {
  it.each([
    "",
    "//e.example",
    "/\\e.example",
    "\\\\e.example",
    "/\t/e.example",
    "/ok\r\nLocation: https://e.example",
    "/%0d%0alocation:https://e.example",
    "/%5ce.example",
    "https://cooking.porchlight.example:8443/%0D%0A",
    "https:e.example",
    "https:/e.example",
    "https:///e.example",
    "javascript:alert(1)",
    "JaVaScRiPt://%0aalert(1)",
    "data:text/html,x",
    "e.example",
    "https://e.example/",
    "https://a.b.porchlight.example:8443/",
    "https://cooking.porchlight.example/",
    "https://cooking.porchlight.example:9999/",
    "http://cooking.porchlight.example:8443/",
    "https://me@cooking.porchlight.example:8443/",
    "https://porchlight.example:8443@e.example/",
    "https://cооking.e.example/",
    "https://127.0.0.1:8443/",
    "https://[::1]:8443/",
    "https://localhost:8443/",
    "https://2130706433:8443/",
    `/${"a".repeat(3000)}`,
  ])("%j", (next) => {
    expect(returnTarget(next, MAIN)).toBeNull();
  });

  it("has no subdomains of an IP address", () => {
    expect(returnTarget("http://1.127.0.0.1/", "http://127.0.0.1")).toBeNull();
  });

  it.each([null, undefined])("%j", (next) => {
    expect(returnTarget(next, MAIN)).toBeNull();
  });
});
