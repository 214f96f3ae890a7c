import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAddDevice, useDevices } from "../api/devices";
import { ownEndpointHash, pushState } from "../lib/push";
import styles from "./settings.module.css";

const DISMISSED = "push-offer-dismissed";

/**
 * Offer notes on this device at a moment that explains itself, with its own words. Shows nothing if the device has them,
 * cannot have them, or the user said no here once.
 */
export function PushOffer({ children }: { children: string }) {
  const [isGone, setIsGone] = useState(wasDismissed);
  const isPossible = !isGone && pushState() === "ready";
  return isPossible ? <Offer text={children} onDismiss={() => setIsGone(true)} /> : null;
}

function Offer({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  const devices = useDevices();
  const add = useAddDevice();
  const own = useQuery({ queryKey: ["own-endpoint", "offer"], queryFn: ownEndpointHash, staleTime: 0 });
  if (add.isSuccess) return <Notice tone="success">Done. We'll send a note to this device.</Notice>;
  if (!devices.data?.publicKey || own.data === undefined) return null;
  if (devices.data.devices.some(({ endpointHash }) => endpointHash === own.data)) return null;
  const { publicKey } = devices.data;
  return (
    <section className={styles.offer} aria-label="Notes on this device">
      <p>{text}</p>
      <div className={styles.buttons}>
        <Button size="sm" loading={add.isPending} onClick={() => add.mutate(publicKey)}>
          Yes, please
        </Button>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            dismiss();
            onDismiss();
          }}
        >
          No, thanks
        </Button>
      </div>
      {add.isError && <Notice tone="danger">{add.error.message}</Notice>}
    </section>
  );
}

function wasDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED) !== null;
  } catch {
    return false; // storage is off: the offer comes again
  }
}

function dismiss() {
  try {
    localStorage.setItem(DISMISSED, "1");
  } catch {
    // storage is off: it is gone for this page only
  }
}
