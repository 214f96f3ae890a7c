import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/lib/api-client";
import { ApiError } from "@porchlight/shared/client";
import { PROOF_HEADER, solveProofOfWork } from "@porchlight/shared/proof-of-work";

export type ContactMessage = {
  name: string;
  email: string;
  subject: string;
  message: string;
  /** Honeypot field: users leave it empty. */
  website: string;
};

/**
 * Send a message to the operators. The idempotency key makes repeated attempts count once. While the form is flooded, the
 * API asks for a proof of work, which takes about a second; `isChecking` is true until it is sent.
 */
export function useSendContactMessage() {
  const [isChecking, setIsChecking] = useState(false);
  const send = useMutation({
    mutationFn: async ({ idempotencyKey, message }: { idempotencyKey: string; message: ContactMessage }) => {
      const headers = { "Idempotency-Key": idempotencyKey };
      try {
        return await api.post("/contact", { body: message, headers });
      } catch (reason) {
        if (!(reason instanceof ApiError) || reason.challenge === "") throw reason;
        setIsChecking(true);
        const proof = await solveProofOfWork(reason.challenge);
        return await api.post("/contact", { body: message, headers: { ...headers, [PROOF_HEADER]: proof } });
      } finally {
        setIsChecking(false);
      }
    },
  });
  return { ...send, isChecking };
}
