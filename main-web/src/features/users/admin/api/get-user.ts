import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "person", id],
    queryFn: ({ signal }) => api.GET("/admin/users/{user_id}", { params: { path: { user_id: id } }, signal }),
    staleTime: 0,
  });
