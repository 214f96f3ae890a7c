import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the disputes. */
export const useDisputes = (filters: Filters<"/admin/money/disputes">) =>
  useList("money/disputes", filters, (cursor, signal) =>
    api.GET("/admin/money/disputes", { params: { query: { ...filters, cursor } }, signal }),
  );
