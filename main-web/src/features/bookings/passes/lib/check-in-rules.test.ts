import { describe, expect, it } from "vitest";
import { judgePass, judgePerson, type Verdict } from "./check-in-rules";
import { personOf, rosterOf, sessionOf } from "./fixtures";
import type { ReadPass } from "./signed-pass";
import type { RosterPerson, RosterSession } from "./types";

const HOUR = 3_600_000;
const NOW = Date.now();

function passOf(changes: Partial<ReadPass> = {}): ReadPass {
  const roster = rosterOf();
  const startsAt = new Date(NOW + HOUR).toISOString();
  const own = { text: "x", bookingId: "b1", tenantId: roster.tenantId, startsAt, sequence: 0, code: "KX4P7M2Q" };
  return { ...own, isSigned: true, ...changes };
}

function judge(
  pass: ReadPass | null,
  person: Partial<RosterPerson> = {},
  session: Partial<RosterSession> = {},
  now = NOW,
) {
  return judgePass(pass, { roster: rosterOf(sessionOf([personOf(person)], session)), now, listTime: "8:40 AM" });
}

const textOf = (verdict: Verdict) => ("text" in verdict ? verdict.text : "");

describe("a pass that is shown", () => {
  it("is good for who is on the list", () => {
    expect(judge(passOf()).kind).toBe("good");
    // A browser that can't check signatures knows the code of the list.
    expect(judge(passOf({ isSigned: null })).kind).toBe("good");
  });

  it.each([
    ["no pass", null, {}, /^This isn't a Porchlight pass/],
    ["forged", passOf({ isSigned: false, code: "00000000" }), {}, /^This pass is forged/],
    ["forged, of someone else", passOf({ isSigned: false, bookingId: "b9", code: "00000000" }), {}, /forged/],
    ["another guru's", passOf({ tenantId: "other", bookingId: "b9" }), {}, /another guru's session/],
    ["outdated", passOf({ code: "11111111" }), {}, /Nora Newcomer's session changed after this pass was made/],
    ["of no one on the list", passOf({ bookingId: "b9" }), {}, /isn't on your list from 8:40 AM/],
    [
      "of last week",
      passOf({ bookingId: "b9", startsAt: new Date(NOW - 170 * HOUR).toISOString() }),
      {},
      /^This pass is for /,
    ],
    ["of a missed session", passOf(), { status: "missed" }, /marked Nora Newcomer as missed/],
  ] as const)("is refused: %s", (_name, pass, person, text) => {
    const verdict = judge(pass, person);
    expect(verdict.kind).toBe("refused");
    expect(textOf(verdict)).toMatch(text);
  });

  it("is refused on another day, and says which it is for", () => {
    const early = { opensAt: new Date(NOW + HOUR).toISOString() };
    const over = { passesUntil: new Date(NOW).toISOString() };
    for (const session of [early, over]) {
      const verdict = judge(passOf(), {}, session);
      expect(verdict.kind).toBe("refused");
      expect(textOf(verdict)).toMatch(/^This pass is for \w{3}, \w{3} \d+, /);
    }
  });

  it("was used by another device", () => {
    const used = { checkedInAt: "2027-03-10T16:02:00Z", checkedInBy: "Front door" };
    const verdict = judge(passOf(), used);
    expect(verdict.kind).toBe("already");
    expect(textOf(verdict)).toBe("Already checked in at 9:02 AM by Front door.");
  });

  it("asks about a missing waiver", () => {
    expect(judge(passOf(), { waiverDue: true }).kind).toBe("waiver");
  });
});

describe("a name that is tapped", () => {
  const found = (session: Partial<RosterSession>) => {
    const person = personOf();
    return { person, session: sessionOf([person], session) };
  };

  it("is good from the morning on until two days later", () => {
    expect(judgePerson(found({ passesUntil: new Date(NOW - HOUR).toISOString() }), NOW).kind).toBe("good");
    const early = judgePerson(found({ opensAt: new Date(NOW + HOUR).toISOString() }), NOW);
    expect(textOf(early)).toMatch(/^Check-in for this session opens on /);
    const late = judgePerson(found({ closesAt: new Date(NOW).toISOString() }), NOW);
    expect(textOf(late)).toBe("You can check people in until 48 hours after their session.");
  });
});
