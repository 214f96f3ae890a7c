import { describe, expect, it } from "vitest";
import { deviceName, pushState } from "./push";

describe("the name of a device", () => {
  it.each([
    ["Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36", "Chrome on Android"],
    ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0", "Edge on Windows"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19 Safari/604",
      "Safari on iPhone",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    ["", "Browser on this device"],
  ])("reads %s", (agent, name) => expect(deviceName(agent)).toBe(name));
});

it("knows that a browser without push cannot show notifications", () => expect(pushState()).toBe("unsupported"));
