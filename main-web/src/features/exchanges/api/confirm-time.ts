import { api } from "@/lib/api-client";
import { useExchangeMutation } from "../lib/use-exchange-mutation";

/** Confirm the time that the neighbor recorded. */
export function useConfirmTime(id: string) {
  return useExchangeMutation((round: number) =>
    api.PUT("/exchanges/{exchange_id}/settlement", { params: { path: { exchange_id: id } }, body: { round } }),
  );
}
