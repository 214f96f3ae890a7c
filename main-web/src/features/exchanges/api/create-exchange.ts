import { api } from "@/lib/api-client";
import { useExchangeMutation } from "../lib/use-exchange-mutation";
import type { components } from "@porchlight/shared/api.gen";

type AskPayload = components["schemas"]["AskPayload"];

/** Ask for a session. The idempotency key makes repeated attempts count once. */
export function useCreateExchange() {
  return useExchangeMutation(({ idempotencyKey, body }: { idempotencyKey: string; body: AskPayload }) =>
    api.POST("/exchanges", { body, headers: { "Idempotency-Key": idempotencyKey } }),
  );
}
