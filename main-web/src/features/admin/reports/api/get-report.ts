import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { ReportDetail } from "../../lib/types";

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "report", id],
    queryFn: ({ signal }) => api.get<ReportDetail>(`/admin/reports/${id}`, { signal }),
    staleTime: 0,
  });
