import { describe, expect, it } from "vitest";
import { message } from "../messages-fixtures";
import { firstUnread, inOrder, placed, withMessages } from "./conversation";

const numbers = (messages: { number: number; kind: string }[]) =>
  messages.map(({ kind, number }) => (kind === "event" ? "event" : number));

describe("inOrder", () => {
  it("orders texts by number, also when their times disagree", () => {
    const late = message({ number: 1, at: "2026-11-25T17:00:02Z" });
    const early = message({ number: 2, at: "2026-11-25T17:00:01Z" });
    expect(numbers(inOrder([early, late]))).toEqual([1, 2]);
  });

  it("puts session events between them by time", () => {
    const event = (id: string, at: string) => message({ id, kind: "event", at, number: 0 });
    const ordered = inOrder([
      event("e3", "2026-11-26T10:00:00Z"),
      message({ number: 2, at: "2026-11-25T17:02:00Z" }),
      event("e1", "2026-11-25T16:00:00Z"),
      event("e2", "2026-11-25T17:01:30Z"),
      message({ number: 1, at: "2026-11-25T17:01:00Z" }),
    ]);
    expect(numbers(ordered)).toEqual(["event", 1, "event", 2, "event"]);
  });
});

describe("withMessages", () => {
  it("replaces what is there and adds the rest", () => {
    const known = [message({ number: 1 }), message({ number: 2 })];
    const merged = withMessages(known, [message({ number: 2, removed: true }), message({ number: 3 })]);
    expect(numbers(merged)).toEqual([1, 2, 3]);
    expect(merged[1]?.removed).toBe(true);
  });
});

describe("firstUnread", () => {
  it("is the first one of the other side after what was read", () => {
    const messages = [1, 2, 3, 4].map((number) => message({ number, mine: number === 2 }));
    expect(firstUnread(messages, 1)?.number).toBe(3);
    expect(firstUnread(messages, 4)).toBeUndefined();
  });
});

describe("placed", () => {
  it("starts a group with each side, day and pause", () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 25, 17, minute)).toISOString();
    const messages = [
      message({ number: 1, at: at(0) }),
      message({ number: 2, at: at(1) }),
      message({ number: 3, at: at(2), mine: true }),
      message({ number: 4, at: at(30), mine: true }),
      message({ number: 5, at: "2026-11-27T17:00:00Z", mine: true }),
    ];
    const places = placed(messages, (iso) => iso.slice(0, 10));
    expect(places.map(({ startsGroup }) => startsGroup)).toEqual([true, false, true, true, true]);
    expect(places.map(({ startsDay }) => startsDay)).toEqual([true, false, false, false, true]);
  });
});
