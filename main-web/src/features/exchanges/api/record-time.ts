import { api } from "@/lib/api-client";
import { useExchangeMutation } from "../lib/use-exchange-mutation";

type Recorded = { minutes: number; round: number; words: string };

/** Record how long a session took, or name other minutes than the neighbor did. */
export function useRecordTime(id: string) {
  return useExchangeMutation((body: Recorded) =>
    api.PUT("/exchanges/{exchange_id}/time", { params: { path: { exchange_id: id } }, body }),
  );
}
