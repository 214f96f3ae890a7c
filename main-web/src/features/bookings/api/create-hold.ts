import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export type WantedTime = { guruLabel: string; serviceId: string; startsAt: string; party: number };

/** Keep a time for ten minutes. The idempotency key makes repeated attempts count once. */
export function useCreateHold() {
  return useMutation({
    mutationFn: ({ idempotencyKey, wanted }: { idempotencyKey: string; wanted: WantedTime }) =>
      api.POST("/gurus/{subdomain}/holds", {
        params: { path: { subdomain: wanted.guruLabel } },
        body: { serviceId: wanted.serviceId, startsAt: wanted.startsAt, party: wanted.party },
        headers: { "Idempotency-Key": idempotencyKey },
      }),
  });
}
