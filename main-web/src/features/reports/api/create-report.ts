import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/lib/api-client";
import { sendWithProof } from "@/lib/send-with-proof";
import type { components } from "@porchlight/shared/api.gen";

export type Report = components["schemas"]["ReportPayload"];
export type Reported = Pick<Report, "kind" | "name">;

/**
 * Report something to the staff. The idempotency key makes repeated attempts count once. `isChecking` is true while the
 * proof of work is computed that a flood of reports makes necessary.
 */
export function useCreateReport() {
  const [isChecking, setIsChecking] = useState(false);
  const send = useMutation({
    mutationFn: ({ idempotencyKey, report }: { idempotencyKey: string; report: Report }) =>
      sendWithProof(
        (headers) => api.POST("/reports", { body: report, headers: { "Idempotency-Key": idempotencyKey, ...headers } }),
        () => setIsChecking(true),
      ).finally(() => setIsChecking(false)),
  });
  return { ...send, isChecking };
}
