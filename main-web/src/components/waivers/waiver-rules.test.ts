import { describe, expect, it } from "vitest";
import { formLevel, higherLevel, modalLevel } from "./levels";
import { canAccept, EMPTY_VALUES, waiverPayload, type WaiverExchange } from "./waiver-values";

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
    expect(waiverPayload(sample, "low", values)).toMatchObject({ emergencyContact: null, exchangeId: sample.id });
    expect(waiverPayload(sample, "low", values)).not.toHaveProperty("signature");
    expect(waiverPayload(sample, "high", values).emergencyContact).toEqual({
      name: "Maria",
      phone: "555",
      relationship: "",
    });
  });

  it("names the minor as participant if a guardian signs", () => {
    const values = { ...EMPTY_VALUES, typedName: "Ada", guardian: true, participantName: "Tim" };
    const signature = { typedName: "Ada", participantName: "Tim", guardian: true };
    expect(waiverPayload(sample, "low", values).signature).toEqual(signature);
    expect(waiverPayload(sample, "low", { ...values, guardian: false }).signature?.participantName).toBe("Ada");
  });
});
