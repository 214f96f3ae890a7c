import { queryOptions, useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

type Question = { serviceId: string; day: string; time: string };

const explainStart = ({ serviceId, day, time }: Question, signal?: AbortSignal) =>
  api.GET("/guru/services/{service_id}/why", {
    params: { path: { service_id: serviceId }, query: { at: `${day}T${time}` } },
    ...(signal && { signal }),
  });

/** Ask why a service is not offered at a time in the calendar's zone. */
export function useExplainStart() {
  return useMutation({ mutationFn: (question: Question) => explainStart(question) });
}

/** Why a service is not offered at a time in the calendar's zone, for a page that shows it at once. */
export const startReasonQuery = (question: Question) =>
  queryOptions({
    queryKey: ["hours", "start-reason", question],
    queryFn: ({ signal }) => explainStart(question, signal),
    staleTime: 0,
  });
