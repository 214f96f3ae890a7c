import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "session", id],
    queryFn: ({ signal }) => api.GET("/admin/sessions/{booking_id}", { params: { path: { booking_id: id } }, signal }),
    staleTime: 0,
  });
