import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { GuruFee } from "../../lib/types";
import { useConsoleUserId } from "../../lib/use-console-user-id";

export const feeQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "fee"],
    queryFn: ({ signal }) => api.get<GuruFee>("/guru/fee", { signal }),
    staleTime: 60_000,
  });

/** Get the platform's fee by the guru's plan. */
export function useFee() {
  return useQuery(feeQuery(useConsoleUserId()));
}
