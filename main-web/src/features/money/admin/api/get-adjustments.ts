import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the adjustments. */
export const useAdjustments = (filters: Filters<"/admin/money/adjustments">) =>
  useList("money/adjustments", filters, (cursor, signal) =>
    api.GET("/admin/money/adjustments", { params: { query: { ...filters, cursor } }, signal }),
  );
