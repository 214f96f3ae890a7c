import { useSyncExternalStore } from "react";

function subscribe(notify: () => void) {
  window.addEventListener("online", notify);
  window.addEventListener("offline", notify);
  return () => {
    window.removeEventListener("online", notify);
    window.removeEventListener("offline", notify);
  };
}

/** Tell whether the browser has a network. The server may be unreachable all the same. */
export const useOnline = () => useSyncExternalStore(subscribe, () => navigator.onLine);
