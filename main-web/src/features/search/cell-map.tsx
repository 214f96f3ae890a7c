import type { Cell } from "./get-search";
import styles from "./search-page.module.css";

const WIDTH = 640;
const HEIGHT = 320;
const MARGIN = 48;
/** Degrees that are shown at least, so that one town does not fill the map with nothing around it. */
const LEAST = 0.3;

/** Where hits are: coarse cells as lights, with their towns. Nobody's exact place is known here, or drawn. */
export function CellMap({ cells }: { cells: readonly Cell[] }) {
  if (cells.length === 0) return null;
  const shrink = Math.max(0.2, Math.cos((mean(cells.map((cell) => cell.latitude)) * Math.PI) / 180));
  const spots = cells.map((cell) => ({ cell, x: cell.longitude * shrink, y: -cell.latitude }));
  const box = { x: span(spots.map(({ x }) => x)), y: span(spots.map(({ y }) => y)) };
  const scale = Math.min((WIDTH - 2 * MARGIN) / box.x.size, (HEIGHT - 2 * MARGIN) / box.y.size);
  const drawn = spots
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
        {drawn.map(({ cell, x, y, radius }) => (
          <g key={`${cell.latitude}/${cell.longitude}/${cell.city}`}>
            <circle cx={x} cy={y} r={radius * 2.2} className={styles.glow} />
            <circle cx={x} cy={y} r={radius} className={styles.light} />
            <text x={x} y={y + 4} textAnchor="middle" className={styles.count}>
              {cell.hits}
            </text>
          </g>
        ))}
        {drawn.map(({ cell, x, y, radius }) => {
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
      <figcaption className={styles.caption}>Places are coarse on purpose: a light is a few blocks wide.</figcaption>
    </figure>
  );
}

function mean(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function span(values: number[]) {
  const least = Math.min(...values);
  const most = Math.max(...values);
  return { middle: (least + most) / 2, size: Math.max(most - least, LEAST) };
}

function spoken(cells: readonly Cell[]) {
  const towns = new Map<string, number>();
  for (const cell of cells) {
    const town = cell.city.split(",")[0] || "elsewhere";
    towns.set(town, (towns.get(town) ?? 0) + cell.hits);
  }
  return `Where they are: ${[...towns].map(([town, hits]) => `${hits} in ${town}`).join(", ")}`;
}
