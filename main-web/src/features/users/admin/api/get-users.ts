import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the users. */
export const useUsers = (filters: Filters<"/admin/users">) =>
  useList("users", filters, (cursor, signal) =>
    api.GET("/admin/users", { params: { query: { ...filters, cursor } }, signal }),
  );
