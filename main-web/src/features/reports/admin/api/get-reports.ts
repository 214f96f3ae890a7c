import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the reports. */
export const useReports = (filters: Filters<"/admin/reports">) =>
  useList("reports", filters, (cursor, signal) =>
    api.GET("/admin/reports", { params: { query: { ...filters, cursor } }, signal }),
  );
