import type { MapCell } from "./types";

/** A dot of the map: its place as shares of the map's shorter side, from the middle; its hits, and their cells. */
export type MapDot = { x: number; y: number; hits: number; cells: number[]; town: string };

export type Point = { latitude: number; longitude: number };
export type MapLayout = {
  dots: MapDot[];
  lights: { x: number; y: number }[];
  /** The squares of the ground: their side in miles, and as a share of the map's shorter side. */
  squareMiles: number;
  square: number;
};

/** The least span of the map, so that a single town does not fill it. */
const MIN_SPAN_DEGREES = 0.3;
const MILES_PER_DEGREE = 69.1;
/** The share of the map's shorter side that the dots take. */
const DOTS_SHARE = 0.76;
/** Nearer dots become one, so that a finger finds each. */
const MIN_DISTANCE = 0.11;
const SQUARES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const MAX_SQUARES = 8;

/** Return where the cells of a search and the porch lights around them are on a map that is north up. */
export function layOutMap(cells: readonly MapCell[], lights: readonly Point[]): MapLayout {
  const shrink = Math.max(0.2, Math.cos((mean(cells.map(({ latitude }) => latitude)) * Math.PI) / 180));
  const spots = cells.map(({ latitude, longitude }) => ({ x: longitude * shrink, y: -latitude }));
  const across = span(spots.map(({ x }) => x));
  const down = span(spots.map(({ y }) => y));
  const degrees = Math.max(across.size, down.size);
  const scale = DOTS_SHARE / degrees;
  const place = (spot: { x: number; y: number }) => ({
    x: (spot.x - across.middle) * scale,
    y: (spot.y - down.middle) * scale,
  });
  const miles = degrees * MILES_PER_DEGREE;
  const squareMiles = SQUARES.find((side) => miles / side <= MAX_SQUARES) ?? SQUARES[SQUARES.length - 1] ?? 1;
  return {
    dots: joined(cells.map((cell, index) => ({ ...place(spots[index] ?? { x: 0, y: 0 }), cell, index }))),
    lights: lights.map(({ latitude, longitude }) => place({ x: longitude * shrink, y: -latitude })),
    squareMiles,
    square: (squareMiles / miles) * DOTS_SHARE,
  };
}

type Spot = { x: number; y: number; cell: MapCell; index: number };

/** Return the spots as dots, those with most hits first; a spot near one of them belongs to it. */
function joined(spots: Spot[]): MapDot[] {
  const dots: MapDot[] = [];
  for (const { x, y, cell, index } of [...spots].sort((a, b) => b.cell.hits - a.cell.hits)) {
    const near = dots.find((dot) => Math.hypot(dot.x - x, dot.y - y) < MIN_DISTANCE);
    if (near) {
      near.hits += cell.hits;
      near.cells.push(index);
      near.town ||= townOf(cell);
    } else dots.push({ x, y, hits: cell.hits, cells: [index], town: townOf(cell) });
  }
  return dots;
}

/** Return the town of a cell without its state, "" where its neighbor does not show it. */
export const townOf = (cell: MapCell) => cell.city.split(",")[0] ?? "";

function mean(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function span(values: number[]) {
  const min = Math.min(...values);
  const max = Math.max(...values);
  return { middle: (min + max) / 2, size: Math.max(max - min, MIN_SPAN_DEGREES) };
}
