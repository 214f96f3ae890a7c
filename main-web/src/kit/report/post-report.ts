import { useMutation } from "@tanstack/react-query";
import { api } from "../api";

export type Reported = { kind: "site" | "post" | "profile" | "listing"; name: string };
export type Report = Reported & { reason: string; details: string };

/** Reports something to the staff. The key makes a repeated attempt count once. */
export function usePostReport() {
  return useMutation({
    mutationFn: ({ key, report }: { key: string; report: Report }) =>
      api.post<{ message: string }>("/reports", { body: report, headers: { "Idempotency-Key": key } }),
  });
}
