import { useEffect } from "react";

/** Keep the screen on while the page is shown, so that a pass does not go dark before it is scanned. */
export function useWakeLock() {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isShown = true;
    const request = async () => {
      if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
      // Refused on low battery, for example: the pass is shown anyway.
      const found = await navigator.wakeLock.request("screen").catch(() => null);
      if (isShown) lock = found;
      else void found?.release();
    };
    const again = () => void request();
    void request();
    document.addEventListener("visibilitychange", again);
    return () => {
      isShown = false;
      document.removeEventListener("visibilitychange", again);
      void lock?.release();
    };
  }, []);
}
