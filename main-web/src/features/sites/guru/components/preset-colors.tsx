import type { CSSProperties } from "react";
import { cx } from "@/lib/cx";
import type { SiteProfile } from "../lib/types";
import styles from "./color-field.module.css";

type Colors = SiteProfile["presetColors"][number];
type PresetColorsProps = {
  presets: readonly Colors[];
  chosen: { primaryColor: string; secondaryColor: string };
  onChoose: (colors: Colors) => void;
};

/** The pairs of colors that every plan includes. */
export function PresetColors({ presets, chosen, onChoose }: PresetColorsProps) {
  return (
    <div className={styles.presets} role="group" aria-label="Color pairs">
      {presets.map((pair) => {
        const isChosen =
          same(pair.primaryColor, chosen.primaryColor) && same(pair.secondaryColor, chosen.secondaryColor);
        return (
          <button
            key={pair.primaryColor + pair.secondaryColor}
            type="button"
            className={cx(styles.preset, isChosen && styles.chosen)}
            style={{ "--one": pair.primaryColor, "--two": pair.secondaryColor } as CSSProperties}
            aria-label={`${pair.primaryColor} and ${pair.secondaryColor}`}
            aria-pressed={isChosen}
            onClick={() => onChoose(pair)}
          />
        );
      })}
    </div>
  );
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
