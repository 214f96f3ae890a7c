import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { WaiverPayload } from "./accept-waiver";
import { signingQueryKey } from "./get-signing";
import type { components } from "@porchlight/shared/api.gen";

export type SignedWaiver = components["schemas"]["SignedWaiver"];

/** Sign a waiver with a personal link. The idempotency key makes repeated attempts count once. */
export function useSignWithLink(link: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey, waiver }: { idempotencyKey: string; waiver: WaiverPayload }) =>
      api.POST("/liability/links/{link}/waiver", {
        params: { path: { link } },
        body: waiver,
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    // Someone may have signed, the session may have moved, or the level or a text may have changed.
    onError: () => {
      void queries.invalidateQueries({ queryKey: signingQueryKey(link) });
      void queries.invalidateQueries({ queryKey: ["waivers", "risk"] });
      void queries.invalidateQueries({ queryKey: ["waivers", "text"] });
    },
  });
}
