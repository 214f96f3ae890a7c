import { queryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import type { SiteRow } from "./types";

export const siteQuery = (label: string) =>
  queryOptions({
    queryKey: [ADMIN, "site", label],
    queryFn: ({ signal }) => api.get<SiteRow>(`/admin/sites/${label}`, { signal }),
    staleTime: 0,
  });
