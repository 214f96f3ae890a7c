import { api } from "@/lib/api-client";
import { useList } from "@/features/admin/contract";

/** List the reconciliations. */
export const useReconciliations = () =>
  useList("money/reconciliations", {}, (cursor, signal) =>
    api.GET("/admin/money/reconciliations", { params: { query: { cursor } }, signal }),
  );
