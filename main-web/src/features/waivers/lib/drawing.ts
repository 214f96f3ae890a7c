/** A drawing as the server takes it: each line is x, y, x, y, … in whole numbers. */
export type Lines = number[][];
export type Size = { width: number; height: number };
type Point = { x: number; y: number };

/** The size of every drawing, independent of the screen. */
export const DRAWING: Size = { width: 1000, height: 400 };
export const MAX_LINES = 100;
export const MAX_POINTS = 2000;

const scaled = (value: number, from: number, to: number) => Math.min(to, Math.max(0, Math.round((value / from) * to)));

/** Return what was drawn on an area as lines. Above the limits, later lines and every second point are left out. */
export function toLines(strokes: readonly { points: readonly Point[] }[], area: Size): Lines {
  let lines = strokes
    .slice(0, MAX_LINES)
    .map(({ points }) =>
      points.map(({ x, y }) => [scaled(x, area.width, DRAWING.width), scaled(y, area.height, DRAWING.height)]),
    );
  while (lines.reduce((sum, line) => sum + line.length, 0) > MAX_POINTS) {
    lines = lines.map((line) => line.filter((_, index) => index % 2 === 0 || index === line.length - 1));
  }
  return lines.filter((line) => line.length > 0).map((line) => line.flat());
}

/** Return lines as points on an area, to draw them again. */
export function toPoints(lines: Lines, area: Size): Point[][] {
  return lines.map((line) =>
    Array.from({ length: line.length / 2 }, (_, index) => ({
      x: ((line[2 * index] ?? 0) / DRAWING.width) * area.width,
      y: ((line[2 * index + 1] ?? 0) / DRAWING.height) * area.height,
    })),
  );
}
