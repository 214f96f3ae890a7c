import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the changes at Stripe. */
export const useStripeWrites = (filters: Filters<"/admin/money/outbox">) =>
  useList("money/outbox", filters, (cursor, signal) =>
    api.GET("/admin/money/outbox", { params: { query: { ...filters, cursor } }, signal }),
  );
