import { describe, expect, it } from "vitest";
import type { WaiverText } from "../api/get-waiver-text";
import { formLevel, higherLevel, modalLevel } from "./levels";
import { toLines, toPoints } from "./drawing";
import { canAccept, EMPTY_VALUES, textsId, waiverPayload, type WaiverExchange } from "./waiver-values";

const TEXT: WaiverText = {
  level: "low",
  version: 2,
  title: "Waiver",
  body: "# Waiver",
  sha256: "aa",
  validDays: 90,
  guruText: null,
};
const GURU_TEXT = { guruName: "Ida", version: 3, body: "Bring gloves.", sha256: "bb" };
const CONSENTS = { understood: true, acknowledged: true, released: true };

describe("levels", () => {
  it.each([
    ["physical-training", "high"],
    ["sports", "high"],
    ["cooking", "medium"],
    ["gardening", "medium"],
    ["fitness", "low"],
    ["programming", "low"],
  ])("form level of %s is %s", (category, level) => expect(formLevel(category)).toBe(level));

  it.each([
    ["Martial Arts for Kids", "high"],
    ["Health & Fitness", "high"],
    ["Outdoor Activities", "high"],
    ["Woodworking", "medium"],
    ["electrical work", "medium"],
    ["Arts Crafts", "medium"],
    ["Language", "low"],
  ])("modal level of %s is %s", (category, level) => expect(modalLevel(category)).toBe(level));

  it("never lowers a level", () => {
    expect(higherLevel("medium", "high")).toBe("high");
    expect(higherLevel("high", "low")).toBe("high");
  });
});

describe("canAccept", () => {
  it.each(["understood", "acknowledged", "released"])("needs the checkbox %s", (name) => {
    expect(canAccept({ ...EMPTY_VALUES, ...CONSENTS }, "low")).toBe(true);
    expect(canAccept({ ...EMPTY_VALUES, ...CONSENTS, [name]: false }, "low")).toBe(false);
  });

  it("needs name and phone, but no relationship, for high risk", () => {
    const values = { ...EMPTY_VALUES, ...CONSENTS, contactName: "Maria", contactPhone: "555 0199" };
    expect(canAccept(values, "high")).toBe(true);
    expect(canAccept({ ...values, contactName: " " }, "high")).toBe(false);
    expect(canAccept({ ...values, contactPhone: "" }, "extreme")).toBe(false);
    expect(canAccept({ ...values, contactPhone: "" }, "medium")).toBe(true);
  });

  it("needs the typed name for a drawing, and if the guru requires a signature", () => {
    const values = { ...EMPTY_VALUES, ...CONSENTS };
    expect(canAccept(values, "low", true)).toBe(false);
    expect(canAccept({ ...values, typedName: "Ada" }, "low", true)).toBe(true);
    expect(canAccept({ ...values, drawing: [[1, 2]] }, "low")).toBe(false);
    expect(canAccept({ ...values, drawing: [[1, 2]], typedName: "Ada" }, "low")).toBe(true);
  });

  it("needs both names if a guardian signs", () => {
    const values = { ...EMPTY_VALUES, ...CONSENTS, guardian: true, typedName: "Ada" };
    expect(canAccept(values, "low")).toBe(false);
    expect(canAccept({ ...values, participantName: "Tim" }, "low")).toBe(true);
  });
});

describe("waiverPayload", () => {
  const sample: WaiverExchange = { id: "s-1", skill: "Judo", category: "sports", activity: "Throws" };

  it("has a contact for high risk only, and no signature without a name", () => {
    const values = { ...EMPTY_VALUES, contactName: "Maria", contactPhone: "555" };
    expect(waiverPayload(sample, "low", values, TEXT)).toMatchObject({ emergencyContact: null, exchangeId: sample.id });
    expect(waiverPayload(sample, "low", values, TEXT)).not.toHaveProperty("signature");
    expect(waiverPayload(sample, "high", values, TEXT).emergencyContact).toEqual({
      name: "Maria",
      phone: "555",
      relationship: "",
    });
  });

  it("names the minor as participant if a guardian signs", () => {
    const values = { ...EMPTY_VALUES, typedName: "Ada", guardian: true, participantName: "Tim" };
    const signature = { typedName: "Ada", participantName: "Tim", guardian: true };
    expect(waiverPayload(sample, "low", values, TEXT).signature).toEqual(signature);
    expect(waiverPayload(sample, "low", { ...values, guardian: false }, TEXT).signature?.participantName).toBe("Ada");
  });

  it("names the texts that were read, and has the drawing in the signature", () => {
    const values = { ...EMPTY_VALUES, typedName: "Ada", drawing: [[1, 2, 3, 4]] };
    expect(waiverPayload(sample, "low", values, TEXT)).toMatchObject({
      textVersion: 2,
      guruTextVersion: 0,
      signature: { drawn: [[1, 2, 3, 4]] },
    });
    expect(waiverPayload(sample, "low", values, { ...TEXT, guruText: GURU_TEXT }).guruTextVersion).toBe(3);
    expect(waiverPayload(sample, "low", { ...values, drawing: [] }, TEXT).signature).not.toHaveProperty("drawn");
  });

  it("tells the texts apart by each version", () => {
    const ids = [
      TEXT,
      { ...TEXT, sha256: "cc" },
      { ...TEXT, guruText: GURU_TEXT },
      { ...TEXT, guruText: { ...GURU_TEXT, version: 4 } },
    ].map(textsId);
    expect(new Set(ids).size).toBe(4);
  });
});

describe("drawings", () => {
  const area = { width: 500, height: 200 };

  it("are whole numbers on a fixed size, and drawn again at the same points", () => {
    const points = [
      { x: 10, y: 150 },
      { x: 90.2, y: 20.3 },
    ];
    const lines = toLines([{ points }, { points: [{ x: -4, y: 900 }] }, { points: [] }], area);
    expect(lines).toEqual([
      [20, 300, 180, 41],
      [0, 400],
    ]);
    expect(toPoints(lines, area)[0]?.[0]).toEqual({ x: 10, y: 150 });
    expect(toPoints(lines, { width: 250, height: 100 })[0]?.[0]).toEqual({ x: 5, y: 75 });
  });

  it("stay within the server's limits and keep the ends of lines", () => {
    const points = Array.from({ length: 9001 }, (_, index) => ({ x: index % 500, y: 1 }));
    const [line = []] = toLines([{ points }], area);
    expect(line.length / 2).toBeLessThanOrEqual(2000);
    expect(line.slice(-2)).toEqual([0, 2]);
    expect(
      toLines(
        Array.from({ length: 150 }, () => ({ points: [{ x: 1, y: 1 }] })),
        area,
      ),
    ).toHaveLength(100);
  });
});
