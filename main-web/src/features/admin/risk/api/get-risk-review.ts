import { queryOptions } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY } from "../../lib/query-keys";
import type { RiskReviewDetail } from "../../lib/types";

export const riskReviewQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "risk-review", id],
    queryFn: ({ signal }) => api.get<RiskReviewDetail>(`/admin/risk-reviews/${id}`, { signal }),
    staleTime: 0,
  });
