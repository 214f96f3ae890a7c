import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { exchangeQuery } from "../api/get-exchange";
import { exchangesKey } from "./query-keys";
import type { Exchange } from "./types";

/**
 * Run a request that returns the changed exchange. Everything that shows exchanges is loaded again, also after an error:
 * it often means that the other one took a step meanwhile.
 */
export function useExchangeMutation<Variables>(mutationFn: (variables: Variables) => Promise<Exchange>) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (exchange) => queries.setQueryData(exchangeQuery(userId, exchange.id).queryKey, exchange),
    onSettled: () => queries.invalidateQueries({ queryKey: exchangesKey(userId) }),
  });
}
