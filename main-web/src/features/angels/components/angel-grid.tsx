import { usePorchLights } from "@/features/porch-lights/contract";
import type { Angel } from "../api/get-service-angels";
import { AngelCard } from "./angel-card";
import styles from "./angels.module.css";

/** The angels for a service, with the porch lights of those who are free now. */
export function AngelGrid({ angels, service, label }: { angels: Angel[]; service: string; label: string }) {
  const lights = usePorchLights({ handles: angels.map(({ handle }) => handle) });
  const lit = new Set(lights.data?.map(({ handle }) => handle));
  return (
    <ul className={styles.grid} aria-label={label}>
      {angels.map((angel) => (
        <AngelCard key={angel.handle} angel={angel} service={service} lit={lit.has(angel.handle)} />
      ))}
    </ul>
  );
}
