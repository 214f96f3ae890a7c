import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { guruReviewsKey } from "./get-guru-reviews";

const neighborReviewsQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...guruReviewsKey(userId), "neighbor", id],
    queryFn: ({ signal }) =>
      api.GET("/guru/bookings/{booking_id}/neighbor-reviews", { params: { path: { booking_id: id } }, signal }),
  });

/** List what gurus wrote about the person of a booking. */
export function useNeighborReviews(id: string) {
  return useQuery(neighborReviewsQuery(useConsoleUserId(), id));
}
