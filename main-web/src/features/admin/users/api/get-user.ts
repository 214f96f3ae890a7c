import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { UserDetail } from "../../lib/types";

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "person", id],
    queryFn: ({ signal }) => api.get<UserDetail>(`/admin/users/${id}`, { signal }),
    staleTime: 0,
  });
