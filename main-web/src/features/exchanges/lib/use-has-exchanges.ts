import { useExchanges } from "../api/get-exchanges";
import type { When } from "./types";

/** Return a function that tells whether a tab has sessions with neighbors, so that it is not shown as empty. */
export function useHasExchanges(): (when: When) => boolean {
  const lists = { upcoming: useExchanges("upcoming"), waiting: useExchanges("waiting"), past: useExchanges("past") };
  return (when) => {
    const list = lists[when];
    return list.isLoading || (list.data?.pages[0]?.exchanges.length ?? 0) > 0;
  };
}
