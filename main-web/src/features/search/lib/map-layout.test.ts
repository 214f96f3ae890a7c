import { describe, expect, it } from "vitest";
import { layOutMap } from "./map-layout";

const cell = (latitude: number, longitude: number, hits: number, city: string) => ({ latitude, longitude, hits, city });
const DENVER = cell(39.74, -104.98, 3, "Denver, Colorado");
const NEAR_DENVER = cell(39.75, -104.97, 1, "");
const BOULDER = cell(40.01, -105.27, 2, "Boulder, Colorado");

describe("the map of a search", () => {
  it("has north above and west on the left", () => {
    const [denver, boulder] = layOutMap([DENVER, BOULDER], []).dots;
    expect(denver?.town).toBe("Denver");
    expect(boulder?.y).toBeLessThan(denver?.y ?? 0);
    expect(boulder?.x).toBeLessThan(denver?.x ?? 0);
  });

  it("keeps all dots inside, and one in the middle", () => {
    for (const dot of layOutMap([DENVER, BOULDER, cell(38.8, -104.8, 1, "")], []).dots) {
      expect(Math.max(Math.abs(dot.x), Math.abs(dot.y))).toBeLessThanOrEqual(0.381);
    }
    expect(layOutMap([DENVER], []).dots[0]).toMatchObject({ x: 0, y: 0 });
  });

  it("joins cells that a finger could not tell apart", () => {
    const { dots } = layOutMap([NEAR_DENVER, DENVER, BOULDER], []);
    expect(dots.map(({ hits, cells, town }) => ({ hits, cells, town }))).toEqual([
      { hits: 4, cells: [1, 0], town: "Denver" },
      { hits: 2, cells: [2], town: "Boulder" },
    ]);
  });

  it("says how wide the squares of its ground are", () => {
    expect(layOutMap([DENVER, BOULDER], []).squareMiles).toBe(5);
    expect(layOutMap([DENVER, cell(47.6, -122.3, 1, "Seattle")], []).squareMiles).toBe(200);
  });

  it("places porch lights by the same scale", () => {
    const { dots, lights } = layOutMap([DENVER, BOULDER], [{ latitude: 40.01, longitude: -105.27 }]);
    expect(lights[0]?.x).toBeCloseTo(dots[1]?.x ?? 0);
  });
});
