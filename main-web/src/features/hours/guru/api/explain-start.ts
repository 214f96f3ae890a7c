import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

type Question = { serviceId: string; day: string; time: string };

/** Ask why a service is not offered at a time in the calendar's zone. */
export function useExplainStart() {
  return useMutation({
    mutationFn: ({ serviceId, day, time }: Question) =>
      api.GET("/guru/services/{service_id}/why", {
        params: { path: { service_id: serviceId }, query: { at: `${day}T${time}` } },
      }),
  });
}
