import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";

/** List the listings. */
export const useListings = (filters: Filters<"/admin/listings">) =>
  useList("listings", filters, (cursor, signal) =>
    api.GET("/admin/listings", { params: { query: { ...filters, cursor } }, signal }),
  );
