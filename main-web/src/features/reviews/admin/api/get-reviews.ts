import { api } from "@/lib/api-client";
import { useList, type Filters } from "@/features/admin/contract";
import type { components } from "@porchlight/shared/api.gen";

export type StaffReview = components["schemas"]["StaffReview"];

/** List published reviews, the newest first. */
export const useReviews = (filters: Filters<"/admin/reviews">) =>
  useList("reviews", filters, (cursor, signal) =>
    api.GET("/admin/reviews", { params: { query: { ...filters, cursor } }, signal }),
  );
