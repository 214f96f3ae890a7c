import { useMemo, type CSSProperties } from "react";
import { cx } from "@/lib/cx";
import { usePorchLights } from "@/features/porch-lights/contract";
import { layOutMap, townOf, type MapDot, type Point } from "../lib/map-layout";
import type { MapCell } from "../lib/types";
import styles from "./cell-map.module.css";
import { pluralize } from "@porchlight/shared/format/numbers";

/** Porch lights this far beyond the hits are on the map. */
const LIGHTS_MARGIN_DEGREES = 0.2;

type CellMapProps = {
  cells: readonly MapCell[];
  /** The cells of the row or dot that is looked at. */
  active: readonly number[];
  onLook: (cells: readonly number[]) => void;
  /** Goes to the first row in these cells. */
  onPick: (cells: readonly number[]) => void;
};

/** A map of the hits as coarse cells with their towns, and of porch lights. Exact positions are not known here. */
export function CellMap({ cells, active, onLook, onPick }: CellMapProps) {
  const lights = usePorchLights({ box: boxAround(cells) }).data;
  const {
    dots,
    lights: lit,
    square,
    squareMiles,
  } = useMemo(() => layOutMap(cells, (lights ?? []).flatMap(known)), [cells, lights]);
  if (cells.length === 0) return null;
  const towns = new Set<string>();
  return (
    <figure className={styles.map}>
      <div className={styles.frame} role="group" aria-label={spoken(cells, lit.length)}>
        <div className={styles.ground} style={{ "--square": `${square * 100}cqmin` } as CSSProperties}>
          {lit.map((light, index) => (
            <span key={index} className={styles.lit} style={placed(light)} />
          ))}
          {dots.map((dot) => {
            const isNamed = dot.town !== "" && !towns.has(dot.town);
            towns.add(dot.town);
            return (
              <button
                key={dot.cells.join()}
                type="button"
                className={cx(styles.dot, dot.cells.some((cell) => active.includes(cell)) && styles.active)}
                style={placed(dot)}
                onMouseEnter={() => onLook(dot.cells)}
                onMouseLeave={() => onLook([])}
                onFocus={() => onLook(dot.cells)}
                onBlur={() => onLook([])}
                onClick={() => onPick(dot.cells)}
              >
                <span className="visually-hidden">{dotLabel(dot)}</span>
                <span className={styles.count} aria-hidden="true">
                  {dot.hits}
                </span>
                {isNamed && (
                  <span className={styles.town} aria-hidden="true">
                    {dot.town}
                  </span>
                )}
              </button>
            );
          })}
        </div>
      </div>
      <figcaption className={styles.caption}>
        <span key={squareMiles}>
          {`Each square is ${squareMiles === 1 ? "1 mile" : `${squareMiles} miles`} wide. Places are approximate.`}
        </span>
        {lit.length > 0 && (
          <span className={styles.legend}>
            <span className={styles.sample} aria-hidden="true" />
            <span>Free this evening</span>
          </span>
        )}
      </figcaption>
    </figure>
  );
}

const placed = ({ x, y }: { x: number; y: number }): CSSProperties => ({
  left: `calc(50% + ${(x * 100).toFixed(2)}cqmin)`,
  // On a tall map the dots are in its upper part, which is seen first.
  top: `calc(min(50%, 52cqmin) + ${(y * 100).toFixed(2)}cqmin)`,
});

function dotLabel({ hits, town }: MapDot) {
  const results = pluralize(hits, "result");
  return town ? `${results} in ${town}` : results;
}

function known(light: { latitude: number | null; longitude: number | null }): Point[] {
  const { latitude, longitude } = light;
  return latitude === null || longitude === null ? [] : [{ latitude, longitude }];
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

function spoken(cells: readonly MapCell[], lights: number) {
  const towns = new Map<string, number>();
  for (const cell of cells) {
    const town = townOf(cell) || "elsewhere";
    towns.set(town, (towns.get(town) ?? 0) + cell.hits);
  }
  const hits = `Results by city: ${[...towns].map(([town, count]) => `${count} in ${town}`).join(", ")}`;
  return lights > 0 ? `${hits}; ${pluralize(lights, "neighbor")} free this evening` : hits;
}
