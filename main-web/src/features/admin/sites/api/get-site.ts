import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { SiteRow } from "../../lib/types";

export const siteQuery = (label: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "site", label],
    queryFn: ({ signal }) => api.get<SiteRow>(`/admin/sites/${label}`, { signal }),
    staleTime: 0,
  });
