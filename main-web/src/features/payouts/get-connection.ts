import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "../../kit/api";
import { isWhole, useUid, type Connection } from "./own";

/** What is missing may arrive any moment, from Stripe's pages in another tab or from Stripe's own look: asked for this often. */
const PAUSE = 4000;

export const connectionQuery = (uid: string) =>
  queryOptions({
    queryKey: ["payouts", uid, "connection"],
    queryFn: ({ signal }) => api.get<Connection>("/connect/status", { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.connected && !isWhole(state.data) ? PAUSE : false),
  });

/** How the payout connection stands (SPEC 7.2). The wizard's checklist learns of it too. */
export function useConnection() {
  const uid = useUid();
  const queries = useQueryClient();
  const connection = useQuery(connectionQuery(uid));
  const whole = connection.data ? isWhole(connection.data) : null;
  useEffect(() => {
    if (whole !== null) void queries.invalidateQueries({ queryKey: ["onboarding", uid, "status"] });
  }, [queries, uid, whole]);
  return connection;
}

/** Everything was said and nothing more is asked for, but Stripe has not opened the account yet. */
export function underReview(connection: Connection): boolean {
  return connection.details_submitted && !isWhole(connection) && connection.currently_due.length === 0;
}
