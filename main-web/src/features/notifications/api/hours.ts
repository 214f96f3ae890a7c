import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type Hours = components["schemas"]["NotificationHoursData"];

const hoursQuery = (userId: string) =>
  queryOptions({
    queryKey: ["notification-hours", userId],
    queryFn: ({ signal }) => api.GET("/notification-hours", { signal }),
  });

/** Get when the user's digest comes and when it is quiet. */
export function useHours() {
  return useQuery(hoursQuery(useCurrentUserId()));
}

/** Change when the user's digest comes and when it is quiet. */
export function useUpdateHours() {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: (body: Hours) => api.PUT("/notification-hours", { body }),
    onSuccess: (hours) => queries.setQueryData(hoursQuery(userId).queryKey, hours),
  });
}
