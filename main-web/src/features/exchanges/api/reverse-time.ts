import { api } from "@/lib/api-client";
import { useExchangeMutation } from "../lib/use-exchange-mutation";

/** Ask to take back what was settled, agree to it, or decline. */
export function useReverseTime(id: string) {
  return useExchangeMutation((wanted: boolean) =>
    api.PUT("/exchanges/{exchange_id}/reversal", {
      params: { path: { exchange_id: id } },
      body: { wanted, words: "" },
    }),
  );
}
