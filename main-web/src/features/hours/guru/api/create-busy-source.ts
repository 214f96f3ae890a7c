import { api } from "@/lib/api-client";
import type { NewBusySource } from "../lib/types";
import { useBusySourceMutation } from "../lib/use-busy-source-mutation";

/** Connect a calendar. It takes seconds, because the server reads it first. 422 says why it can't be read. */
export function useCreateBusySource() {
  return useBusySourceMutation(({ idempotencyKey, source }: { idempotencyKey: string; source: NewBusySource }) =>
    api.POST("/guru/busy-sources", { body: source, headers: { "Idempotency-Key": idempotencyKey } }),
  );
}
