import { WifiOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import styles from "./offline-banner.module.css";

function subscribe(notify: () => void) {
  window.addEventListener("online", notify);
  window.addEventListener("offline", notify);
  return () => {
    window.removeEventListener("online", notify);
    window.removeEventListener("offline", notify);
  };
}

/** Says so while the browser has no connection. The region is always there, so that its filling is announced. */
export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <p className={styles.banner}>
          <WifiOff size={16} aria-hidden="true" />
          You are offline. Pages you have seen still open; new answers wait for the connection.
        </p>
      )}
    </div>
  );
}
