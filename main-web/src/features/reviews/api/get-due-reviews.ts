import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { sessionReviewsKey } from "./get-session-reviews";

const dueReviewsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...sessionReviewsKey(userId), "due"],
    queryFn: ({ signal }) => api.GET("/reviews/due", { signal }),
    staleTime: 0,
    enabled: userId !== "",
  });

/** List the sessions that the signed-in user can review, while reviews are on. */
export function useDueReviews(isOn: boolean) {
  const query = dueReviewsQuery(useCurrentUserId());
  return useQuery({ ...query, enabled: isOn && query.enabled === true });
}
