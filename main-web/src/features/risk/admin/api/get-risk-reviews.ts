import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the activities to rate. */
export const useRiskReviews = (filters: Filters<"/admin/risk-reviews">) =>
  useList("risk-reviews", filters, (cursor, signal) =>
    api.GET("/admin/risk-reviews", { params: { query: { ...filters, cursor } }, signal }),
  );
