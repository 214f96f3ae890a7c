import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export type Reported = { kind: "site" | "post" | "profile" | "listing" | "question"; name: string };
export type Report = Reported & { reason: string; details: string };

/** Report something to the staff. The idempotency key makes repeated attempts count once. */
export function useCreateReport() {
  return useMutation({
    mutationFn: ({ idempotencyKey, report }: { idempotencyKey: string; report: Report }) =>
      api.post<{ message: string }>("/reports", { body: report, headers: { "Idempotency-Key": idempotencyKey } }),
  });
}
