import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { StartReason } from "../../lib/types";

type Question = { serviceId: string; day: string; time: string };

/** Ask why a service is not offered at a time in the calendar's zone. */
export function useExplainStart() {
  return useMutation({
    mutationFn: ({ serviceId, day, time }: Question) =>
      api.get<StartReason>(`/guru/services/${encodeURIComponent(serviceId)}/why`, { query: { at: `${day}T${time}` } }),
  });
}
