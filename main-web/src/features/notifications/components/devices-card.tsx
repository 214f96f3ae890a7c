import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useAddDevice, useRemoveDevice, useTestDevice, type Device } from "../api/devices";
import { ownEndpointHash, pushState } from "../lib/push";
import styles from "./settings.module.css";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

const STATE_TEXTS = {
  unsupported: "This browser can't show notifications. On an iPhone or iPad, first add Porchlight to your home screen.",
  denied: "This browser doesn't allow notifications from Porchlight. You can change that in its settings.",
};

/** The devices that show notifications, and the way to add this one. */
export function DevicesCard({ devices, publicKey }: { devices: Device[]; publicKey: string }) {
  const add = useAddDevice();
  const own = useQuery({
    queryKey: ["own-endpoint", devices.map(({ endpointHash }) => endpointHash)],
    queryFn: ownEndpointHash,
    staleTime: 0,
  }).data;
  const state = pushState();
  const isAdded = devices.some(({ endpointHash }) => endpointHash === own);
  if (!publicKey) return <Hint>Notifications on devices aren't available right now.</Hint>;
  return (
    <div className={styles.devices}>
      {devices.length > 0 && (
        <ul className={styles.list}>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} isOwn={device.endpointHash === own} />
          ))}
        </ul>
      )}
      {!isAdded && state === "ready" && (
        <>
          <p>
            Get a short note on this device when something happens, even while Porchlight is closed. Your browser asks
            you once, and you can turn it off here.
          </p>
          <div>
            <Button loading={add.isPending} onClick={() => add.mutate(publicKey)}>
              Turn on for this device
            </Button>
          </div>
        </>
      )}
      {!isAdded && state !== "ready" && <Hint>{STATE_TEXTS[state]}</Hint>}
      {add.isError && <Notice tone="danger">{add.error.message}</Notice>}
    </div>
  );
}

function DeviceRow({ device, isOwn }: { device: Device; isOwn: boolean }) {
  const remove = useRemoveDevice();
  const test = useTestDevice();
  return (
    <li className={styles.device}>
      <span className={styles.name}>
        {device.device}
        {isOwn && " (this device)"}
        <span className={styles.since}>
          {device.lastOkAt
            ? `Last note ${formatRelativeTime(device.lastOkAt)}`
            : `Added ${formatRelativeTime(device.createdAt)}`}
        </span>
      </span>
      <span className={styles.buttons}>
        <Button
          size="sm"
          variant="secondary"
          loading={test.isPending}
          aria-label={`Send a test to ${device.device}`}
          onClick={() => test.mutate(device.id, { onSuccess: ({ message }) => toast.success(message) })}
        >
          Send a test
        </Button>
        <Button
          size="sm"
          variant="ghost"
          loading={remove.isPending}
          aria-label={`Remove ${device.device}`}
          onClick={() => remove.mutate({ id: device.id, isOwn })}
        >
          Remove
        </Button>
      </span>
      {(test.isError || remove.isError) && (
        <Notice tone="danger">That didn't work. {(test.error ?? remove.error)?.message}</Notice>
      )}
    </li>
  );
}
