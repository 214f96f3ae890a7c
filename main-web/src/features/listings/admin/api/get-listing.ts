import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

export const listingQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "listing", id],
    queryFn: ({ signal }) => api.GET("/admin/listings/{listing_id}", { params: { path: { listing_id: id } }, signal }),
    staleTime: 0,
  });
