import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the events from Stripe. */
export const useStripeEvents = (filters: Filters<"/admin/money/events">) =>
  useList("money/events", filters, (cursor, signal) =>
    api.GET("/admin/money/events", { params: { query: { ...filters, cursor } }, signal }),
  );
