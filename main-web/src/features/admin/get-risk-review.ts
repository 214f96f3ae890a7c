import { queryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import type { RiskReviewDetail } from "./types";

export const riskReviewQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN, "risk-review", id],
    queryFn: ({ signal }) => api.get<RiskReviewDetail>(`/admin/risk-reviews/${id}`, { signal }),
    staleTime: 0,
  });
