import { usePorchLights } from "@/features/porch-lights/contract";
import { ListRows } from "@/components/ui/list-row";
import type { Angel } from "../api/get-service-angels";
import { AngelRow } from "./angel-row";

/** The angels for a service, with the porch lights of those who are free now. */
export function AngelRows({ angels, service, label }: { angels: Angel[]; service: string; label: string }) {
  const lights = usePorchLights({ handles: angels.map(({ handle }) => handle) });
  const lit = new Set(lights.data?.map(({ handle }) => handle));
  return (
    <ListRows aria-label={label}>
      {angels.map((angel) => (
        <AngelRow key={angel.handle} angel={angel} service={service} lit={lit.has(angel.handle)} />
      ))}
    </ListRows>
  );
}
