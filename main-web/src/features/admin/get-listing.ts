import { queryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import type { ListingDetail } from "./types";

export const listingQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN, "listing", id],
    queryFn: ({ signal }) => api.get<ListingDetail>(`/admin/listings/${id}`, { signal }),
    staleTime: 0,
  });
