import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "@/features/admin/contract";

export const riskReviewQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "risk-review", id],
    queryFn: ({ signal }) =>
      api.GET("/admin/risk-reviews/{review_id}", { params: { path: { review_id: id } }, signal }),
    staleTime: 0,
  });
