import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

export const siteQuery = (label: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "site", label],
    queryFn: ({ signal }) => api.GET("/admin/sites/{label}", { params: { path: { label } }, signal }),
    staleTime: 0,
  });
