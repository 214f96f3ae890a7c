import { MonitorSmartphone } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { LoadingBlock } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { useDeleteDevice } from "../api/delete-device";
import { useDevices, type Device } from "../api/get-devices";
import styles from "./devices.module.css";
import profile from "./profile.module.css";
import { signOutErrorText } from "@porchlight/shared/auth-errors";
import { ApiError } from "@porchlight/shared/client";
import { formatDate, formatRelativeTime } from "@porchlight/shared/format/dates";

/** The devices that are signed in to the account, each with a sign-out button. */
export function Devices({ uid }: { uid: string }) {
  const devices = useDevices(uid);
  return (
    <section aria-labelledby="profile-devices" className={styles.devices} aria-busy={devices.isPending}>
      <h3 id="profile-devices" className={profile.legend}>
        Where you're signed in
      </h3>
      {devices.isPending && <LoadingBlock height="4rem" />}
      {devices.isError && !devices.data && (
        <ErrorState
          title="We couldn't load your devices"
          message={devices.error.message}
          onRetry={() => void devices.refetch()}
          retrying={devices.isFetching}
        />
      )}
      {devices.data?.sessions.length === 0 && <p className={profile.hint}>You're not signed in on any other device.</p>}
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
  const end = useDeleteDevice(uid);

  async function signOut() {
    try {
      await end.mutateAsync(device);
      toast.success(`Signed out on ${device.device}.`);
    } catch (reason) {
      if (reason instanceof ApiError && reason.status === 404) return; // Already signed out.
      toast.error(signOutErrorText(reason));
    }
  }

  return (
    <li className={styles.row}>
      <MonitorSmartphone size={20} aria-hidden="true" className={styles.icon} />
      <div className={styles.details}>
        <p className={styles.name} title={device.userAgent}>
          {device.device} {device.current && <Badge tone="good">This device</Badge>}
        </p>
        <p className={profile.hint}>
          Signed in {formatDate(device.authenticatedAt)} · last seen {formatRelativeTime(device.lastSeenAt)}
        </p>
      </div>
      {!device.current && (
        <Button
          variant="ghost"
          size="sm"
          loading={end.isPending}
          aria-label={`Sign out on ${device.device}, signed in ${formatDate(device.authenticatedAt)}`}
          onClick={() => void signOut()}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
