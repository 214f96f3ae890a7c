import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the guru sites. */
export const useSites = (filters: Filters<"/admin/sites">) =>
  useList("sites", filters, (cursor, signal) =>
    api.GET("/admin/sites", { params: { query: { ...filters, cursor } }, signal }),
  );
