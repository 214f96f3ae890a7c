import { api } from "@/lib/api-client";
import type { ExchangeAnswer } from "../lib/types";
import { useExchangeMutation } from "../lib/use-exchange-mutation";

/** Accept a proposed time, propose others, or decline. */
export function useAnswerExchange(id: string) {
  return useExchangeMutation((body: ExchangeAnswer) =>
    api.POST("/exchanges/{exchange_id}/answers", { params: { path: { exchange_id: id } }, body }),
  );
}
