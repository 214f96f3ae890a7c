import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the sessions of all gurus. */
export const useSessions = (filters: Filters<"/admin/sessions">) =>
  useList("sessions", filters, (cursor, signal) =>
    api.GET("/admin/sessions", { params: { query: { ...filters, cursor } }, signal }),
  );
