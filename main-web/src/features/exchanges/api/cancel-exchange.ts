import { api } from "@/lib/api-client";
import { useExchangeMutation } from "../lib/use-exchange-mutation";

/** Cancel a session, or take back a request. */
export function useCancelExchange(id: string) {
  return useExchangeMutation((words: string) =>
    api.PUT("/exchanges/{exchange_id}/cancellation", { params: { path: { exchange_id: id } }, body: { words } }),
  );
}
