import { api } from "@/lib/api-client";
import { useList, type Filters } from "../../lib/use-list";

/** List the actions of staff. */
export const useAuditLog = (filters: Filters<"/admin/audit">) =>
  useList("audit", filters, (cursor, signal) =>
    api.GET("/admin/audit", { params: { query: { ...filters, cursor } }, signal }),
  );
