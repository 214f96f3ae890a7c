import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { isComplete, type Connection } from "../lib/types";

/** Poll interval. Requirements may be met at any time, on Stripe's pages in another tab or by Stripe's own review. */
const POLL_INTERVAL_MS = 4000;

export const connectionQuery = (uid: string) =>
  queryOptions({
    queryKey: ["payouts", uid, "connection"],
    queryFn: ({ signal }) => api.GET("/connect/status", { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.connected && !isComplete(state.data) ? POLL_INTERVAL_MS : false),
  });

/** Get the status of the payout connection (SPEC 7.2), and reload the wizard's checklist with it. */
export function useConnection() {
  const uid = useCurrentUserId();
  const queries = useQueryClient();
  const connection = useQuery(connectionQuery(uid));
  const isConnected = connection.data ? isComplete(connection.data) : null;
  useEffect(() => {
    if (isConnected !== null) void queries.invalidateQueries({ queryKey: ["onboarding", uid, "status"] });
  }, [queries, uid, isConnected]);
  return connection;
}

/** Tell whether all details are submitted and nothing is due, but Stripe has not enabled the account yet. */
export function underReview(connection: Connection): boolean {
  return connection.details_submitted && !isComplete(connection) && connection.currently_due.length === 0;
}
