import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the differences from Stripe. */
export const useFindings = (filters: Filters<"/admin/money/findings">) =>
  useList("money/findings", filters, (cursor, signal) =>
    api.GET("/admin/money/findings", { params: { query: { ...filters, cursor } }, signal }),
  );
