import { queryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import type { ReportDetail } from "./types";

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN, "report", id],
    queryFn: ({ signal }) => api.get<ReportDetail>(`/admin/reports/${id}`, { signal }),
    staleTime: 0,
  });
