import { MonitorSmartphone } from "lucide-react";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { formatAgo, formatDay } from "../../ui/format-date";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import { toast } from "../../ui/toast-store";
import { useDevices, useEndDevice, type Device } from "./get-devices";
import styles from "./devices.module.css";
import profile from "./profile.module.css";
import { ApiError } from "@porchlight/shared/client";

/** Every device that is signed in to the account, each with a way to end that. */
export function Devices({ uid }: { uid: string }) {
  const devices = useDevices(uid);
  return (
    <section aria-labelledby="profile-devices" className={styles.devices} aria-busy={devices.isPending}>
      <h3 id="profile-devices" className={profile.legend}>
        Where you are signed in
      </h3>
      {devices.isPending && <Skeleton width="100%" height="4rem" radius="md" />}
      {devices.isError && !devices.data && (
        <ErrorState
          title="Your devices are out of reach"
          message={devices.error.message}
          onRetry={() => void devices.refetch()}
          retrying={devices.isFetching}
        />
      )}
      {devices.data?.sessions.length === 0 && (
        <p className={profile.hint}>No browser holds a session of yours right now.</p>
      )}
      {devices.data && devices.data.sessions.length > 0 && (
        <ul className={styles.list}>
          {devices.data.sessions.map((device) => (
            <Row key={device.id} device={device} uid={uid} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Row({ device, uid }: { device: Device; uid: string }) {
  const end = useEndDevice(uid);

  async function signOut() {
    try {
      await end.mutateAsync(device);
      toast.success(`Signed out on ${device.device}.`);
    } catch (reason) {
      if (reason instanceof ApiError && reason.status === 404) return; // it is over already
      toast.error(reason instanceof Error ? reason.message : "Failed to sign out there.");
    }
  }

  return (
    <li className={styles.row}>
      <MonitorSmartphone size={20} aria-hidden="true" className={styles.icon} />
      <div className={styles.words}>
        <p className={styles.name} title={device.userAgent}>
          {device.device} {device.current && <Badge tone="green">This device</Badge>}
        </p>
        <p className={profile.hint}>
          Signed in {formatDay(device.authenticatedAt)} · last seen {formatAgo(device.lastSeenAt)}
        </p>
      </div>
      {!device.current && (
        <Button
          variant="ghost"
          size="sm"
          loading={end.isPending}
          aria-label={`Sign out on ${device.device}, signed in ${formatDay(device.authenticatedAt)}`}
          onClick={() => void signOut()}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
