import { usePorchLights } from "@/features/porch-lights/contract";
import type { MapCell } from "../lib/types";
import styles from "../pages/search-page.module.css";
import { pluralize } from "@porchlight/shared/format/numbers";

const WIDTH = 640;
const HEIGHT = 320;
const MARGIN = 48;
/** Minimum span of the map in degrees, so that a single town does not fill it. */
const MIN_SPAN_DEGREES = 0.3;
/** Porch lights this far beyond the hits are on the map. */
const LIGHTS_MARGIN_DEGREES = 0.2;

/** A map of the hits as coarse cells with their towns, and of porch lights. Exact positions are not known here. */
export function CellMap({ cells }: { cells: readonly MapCell[] }) {
  const lights = usePorchLights({ box: boxAround(cells) }).data ?? [];
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
  const lit = lights.flatMap(({ latitude, longitude }) =>
    latitude === null || longitude === null
      ? []
      : {
          x: WIDTH / 2 + (longitude * shrink - box.x.middle) * scale,
          y: HEIGHT / 2 + (-latitude - box.y.middle) * scale,
        },
  );
  const named = new Set<string>();
  return (
    <figure className={styles.map}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={spoken(cells, lit.length)}>
        {circles.map(({ cell, x, y, radius }) => (
          <g key={`${cell.latitude}/${cell.longitude}/${cell.city}`}>
            <circle cx={x} cy={y} r={radius * 2.2} className={styles.glow} />
            <circle cx={x} cy={y} r={radius} className={styles.light} />
            <text x={x} y={y + 4} textAnchor="middle" className={styles.count}>
              {cell.hits}
            </text>
          </g>
        ))}
        {lit.map(({ x, y }, index) => (
          <g key={index}>
            <circle cx={x} cy={y} r={16} className={styles.porchGlow} />
            <circle cx={x} cy={y} r={4} className={styles.porchLight} />
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
      <figcaption className={styles.caption}>
        {lit.length > 0 && "Bright lights are neighbors who are free this evening. "}
        Locations are approximate to protect privacy.
      </figcaption>
    </figure>
  );
}

/** Return the part of the map around the hits, or null without hits. */
function boxAround(cells: readonly MapCell[]) {
  if (cells.length === 0) return null;
  const latitudes = cells.map(({ latitude }) => latitude);
  const longitudes = cells.map(({ longitude }) => longitude);
  return {
    south: Math.min(...latitudes) - LIGHTS_MARGIN_DEGREES,
    west: Math.min(...longitudes) - LIGHTS_MARGIN_DEGREES,
    north: Math.max(...latitudes) + LIGHTS_MARGIN_DEGREES,
    east: Math.max(...longitudes) + LIGHTS_MARGIN_DEGREES,
  };
}

function mean(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function span(values: number[]) {
  const min = Math.min(...values);
  const max = Math.max(...values);
  return { middle: (min + max) / 2, size: Math.max(max - min, MIN_SPAN_DEGREES) };
}

function spoken(cells: readonly MapCell[], lights: number) {
  const towns = new Map<string, number>();
  for (const cell of cells) {
    const town = cell.city.split(",")[0] || "elsewhere";
    towns.set(town, (towns.get(town) ?? 0) + cell.hits);
  }
  const hits = `Results by city: ${[...towns].map(([town, count]) => `${count} in ${town}`).join(", ")}`;
  return lights > 0 ? `${hits}; ${pluralize(lights, "neighbor")} free this evening` : hits;
}
