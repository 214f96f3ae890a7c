import { api } from "@/lib/api-client";
import type { NeedPayload } from "../lib/types";
import { useNeedMutation } from "../lib/use-need-mutation";

/** Post a need. The idempotency key makes repeated attempts count once. */
export function useCreateNeed() {
  return useNeedMutation(({ idempotencyKey, need }: { idempotencyKey: string; need: NeedPayload }) =>
    api.POST("/needs", { body: need, headers: { "Idempotency-Key": idempotencyKey } }),
  );
}
