import { Lamp } from "lucide-react";
import { usePorchLights } from "@/features/porch-lights/contract";
import { FREE_NEIGHBORS_ID } from "./free-neighbors";
import styles from "./hero.module.css";

/** On the street of the hero: the number of porch lights that are on, linked to the list. */
export function LightsLink() {
  const count = usePorchLights().data?.length ?? 0;
  if (count === 0) return null;
  return (
    <a className={styles.lights} href={`#${FREE_NEIGHBORS_ID}`}>
      <Lamp size={18} aria-hidden="true" />
      {count === 1 ? "1 porch light is on" : `${count} porch lights are on`}
    </a>
  );
}
