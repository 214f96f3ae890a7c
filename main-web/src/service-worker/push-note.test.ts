import { describe, expect, it } from "vitest";
import { readNote, targetOf } from "./push-note";

describe("a note", () => {
  it("has the texts that were sent, and default texts for those that are missing", () => {
    const note = { title: "Ada booked Soup", body: "Sessions", url: "/sessions/1", tag: "t" };
    expect(readNote(JSON.stringify(note))).toEqual(note);
    const own = { title: "Porchlight", body: "There's news for you.", url: "/notifications", tag: "porchlight" };
    for (const text of [undefined, "", "no JSON", "[]", JSON.stringify({ title: 1 })])
      expect(readNote(text)).toEqual(own);
  });

  it.each([
    ["/sessions/1", "https://porchlight.example/sessions/1"],
    ["https://ada.porchlight.example/services", "https://ada.porchlight.example/services"],
    ["javascript:alert(1)", "https://porchlight.example/notifications"],
    ["http://elsewhere.example", "https://porchlight.example/notifications"],
    ["https://", "https://porchlight.example/notifications"],
  ])("opens %s as %s", (url, target) => expect(targetOf(url, "https://porchlight.example")).toBe(target));
});
