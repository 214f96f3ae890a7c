import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { ListingDetail } from "../../lib/types";

export const listingQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "listing", id],
    queryFn: ({ signal }) => api.get<ListingDetail>(`/admin/listings/${id}`, { signal }),
    staleTime: 0,
  });
