import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "report", id],
    queryFn: ({ signal }) => api.GET("/admin/reports/{report_id}", { params: { path: { report_id: id } }, signal }),
    staleTime: 0,
  });
