import type { MapCell } from "../lib/types";
import styles from "../pages/search-page.module.css";

const WIDTH = 640;
const HEIGHT = 320;
const MARGIN = 48;
/** Minimum span of the map in degrees, so that a single town does not fill it. */
const MIN_SPAN_DEGREES = 0.3;

/** A map of the hits as coarse cells with their towns. Exact positions are not known here. */
export function CellMap({ cells }: { cells: readonly MapCell[] }) {
  if (cells.length === 0) return null;
  const shrink = Math.max(0.2, Math.cos((mean(cells.map((cell) => cell.latitude)) * Math.PI) / 180));
  const spots = cells.map((cell) => ({ cell, x: cell.longitude * shrink, y: -cell.latitude }));
  const box = { x: span(spots.map(({ x }) => x)), y: span(spots.map(({ y }) => y)) };
  const scale = Math.min((WIDTH - 2 * MARGIN) / box.x.size, (HEIGHT - 2 * MARGIN) / box.y.size);
  const circles = spots
    .map(({ cell, x, y }) => ({
      cell,
      x: WIDTH / 2 + (x - box.x.middle) * scale,
      y: HEIGHT / 2 + (y - box.y.middle) * scale,
      radius: 7 + 3 * Math.sqrt(cell.hits),
    }))
    .sort((a, b) => b.radius - a.radius);
  const named = new Set<string>();
  return (
    <figure className={styles.map}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={spoken(cells)}>
        {circles.map(({ cell, x, y, radius }) => (
          <g key={`${cell.latitude}/${cell.longitude}/${cell.city}`}>
            <circle cx={x} cy={y} r={radius * 2.2} className={styles.glow} />
            <circle cx={x} cy={y} r={radius} className={styles.light} />
            <text x={x} y={y + 4} textAnchor="middle" className={styles.count}>
              {cell.hits}
            </text>
          </g>
        ))}
        {circles.map(({ cell, x, y, radius }) => {
          const town = cell.city.split(",")[0] ?? "";
          if (!town || named.has(town)) return null;
          named.add(town);
          return (
            <text key={town} x={x} y={y - radius - 8} textAnchor="middle" className={styles.town}>
              {town}
            </text>
          );
        })}
      </svg>
      <figcaption className={styles.caption}>Locations are approximate to protect privacy.</figcaption>
    </figure>
  );
}

function mean(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function span(values: number[]) {
  const min = Math.min(...values);
  const max = Math.max(...values);
  return { middle: (min + max) / 2, size: Math.max(max - min, MIN_SPAN_DEGREES) };
}

function spoken(cells: readonly MapCell[]) {
  const towns = new Map<string, number>();
  for (const cell of cells) {
    const town = cell.city.split(",")[0] || "elsewhere";
    towns.set(town, (towns.get(town) ?? 0) + cell.hits);
  }
  return `Results by city: ${[...towns].map(([town, hits]) => `${hits} in ${town}`).join(", ")}`;
}
