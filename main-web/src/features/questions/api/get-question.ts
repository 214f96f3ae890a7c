import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type Question = components["schemas"]["QuestionData"];

/** Get a question that the user asked or was asked. */
export function useQuestion(id: string) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: ["question", userId, id],
    queryFn: ({ signal }) => api.GET("/questions/{question_id}", { params: { path: { question_id: id } }, signal }),
  });
}
