import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cityHero } from "./city-hero";

const CITIES = [
  "New York",
  "Los Angeles",
  "Chicago",
  "Houston",
  "Phoenix",
  "Philadelphia",
  "San Antonio",
  "San Diego",
  "Dallas",
  "Austin",
];

describe("the hero image", () => {
  it.each(CITIES)("%s has its own, in any spelling", (city) => {
    const image = cityHero(city);
    expect(image).toContain(city.toLowerCase().replace(" ", "-"));
    expect(cityHero(`  ${city.toUpperCase()} , Somewhere`)).toBe(image);
  });

  it("New York is also found as New York City", () => {
    expect(cityHero("New York City, NY")).toBe(cityHero("New York"));
  });

  it.each([null, "", "Denver, Colorado", "constructor", "Dallas Fort"])("%j gets the default", (label) => {
    expect(cityHero(label)).toContain("default");
  });

  it("is different per city, below 15 kB, without scripts or external URLs", () => {
    const folder = import.meta.dirname;
    const drawings = readdirSync(folder)
      .filter((name) => name.endsWith(".svg"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    expect(drawings).toHaveLength(CITIES.length + 1);
    expect(new Set(drawings).size).toBe(drawings.length);
    for (const drawing of drawings) {
      expect(Buffer.byteLength(drawing)).toBeLessThan(15_000);
      expect(drawing.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/<script|href|https?:|on\w+=/);
    }
  });
});
