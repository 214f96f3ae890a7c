import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api } from "@/lib/api-client";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import type { BookableGuru } from "./get-teachers";

/** Keep one spot at a start of a guru's service for ten minutes. After an error, the free times are loaded again. */
export function useCreateHold(guru: BookableGuru) {
  const queries = useQueryClient();
  // One key per start: pressing again after a lost answer keeps the same spot.
  const attempt = useRef({ startsAt: "", key: "" });
  return useMutation({
    mutationFn: (startsAt: string) => {
      if (attempt.current.startsAt !== startsAt) attempt.current = { startsAt, key: createIdempotencyKey() };
      return api.POST("/gurus/{subdomain}/holds", {
        params: { path: { subdomain: guru.label } },
        body: { serviceId: guru.service.id, startsAt, party: 1 },
        headers: { "Idempotency-Key": attempt.current.key },
      });
    },
    onError: () => void queries.invalidateQueries({ queryKey: ["teachers"] }),
  });
}
