import { useRef, useState } from "react";
import { toast } from "@/lib/toast-store";
import { errorMessage } from "@/lib/errors";
import { useUpdateServiceOrder } from "../api/update-service-order";
import type { Service } from "./types";

/**
 * Change the order of the services.
 * @returns `announcement` says where a service moved to. The buttons that move it register, so that focus stays on it.
 */
export function useServiceOrder(services: readonly Service[]) {
  const order = useUpdateServiceOrder();
  const [announcement, setAnnouncement] = useState("");
  const buttons = useRef(new Map<string, HTMLButtonElement>());

  function registerButton(name: string, button: HTMLButtonElement | null) {
    if (button) buttons.current.set(name, button);
    else buttons.current.delete(name);
  }

  async function move(service: Service, by: -1 | 1) {
    const ids = services.map(({ id }) => id);
    const from = ids.indexOf(service.id);
    ids.splice(from, 1);
    ids.splice(from + by, 0, service.id);
    try {
      await order.mutateAsync(ids);
      setAnnouncement(`${service.name} is now ${from + by + 1} of ${ids.length}.`);
      // The pressed button may be disabled now: keep focus on the moved service.
      requestAnimationFrame(() => {
        const same = buttons.current.get(`${service.id} ${by}`);
        (same?.disabled ? buttons.current.get(`${service.id} ${-by}`) : same)?.focus();
      });
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return { move, registerButton, announcement, isPending: order.isPending };
}
