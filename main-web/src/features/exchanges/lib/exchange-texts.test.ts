import { describe, expect, it } from "vitest";
import { insideName, placeText } from "./exchange-texts";

describe("the name of a neighbor inside a sentence", () => {
  it("is small where it is the product's own", () => {
    expect(insideName("A neighbor")).toBe("a neighbor");
    expect(insideName("A former neighbor")).toBe("a former neighbor");
    expect(placeText("teacher", "learner", "A neighbor")).toBe("At a neighbor's place");
  });

  it("stays as its person wrote it", () => {
    expect(insideName("A. Neighbor")).toBe("A. Neighbor");
    expect(insideName("Ana")).toBe("Ana");
  });
});
