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

/**
 * A banner shown while the browser is offline. The live region is always rendered, so that its content is announced.
 */
export function OfflineBanner() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!online && (
        <p className={styles.banner}>
          <WifiOff size={16} aria-hidden="true" />
          You're offline. Pages you've visited still work. Changes will load when you're back online.
        </p>
      )}
    </div>
  );
}
