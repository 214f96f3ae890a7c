import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

type Question = { idempotencyKey: string; handle: string; body: string };

/** Ask a neighbor a question by email. The idempotency key makes repeated attempts count once. */
export function useAskNeighbor() {
  return useMutation({
    mutationFn: ({ idempotencyKey, handle, body }: Question) =>
      api.POST("/users/{handle}/questions", {
        params: { path: { handle } },
        body: { body },
        headers: { "Idempotency-Key": idempotencyKey },
      }),
  });
}
