import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/lib/api-client";
import { sendWithProof } from "@/lib/send-with-proof";

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
    mutationFn: ({ idempotencyKey, message }: { idempotencyKey: string; message: ContactMessage }) =>
      sendWithProof(
        (headers) =>
          api.POST("/contact", { body: message, headers: { "Idempotency-Key": idempotencyKey, ...headers } }),
        () => setIsChecking(true),
      ).finally(() => setIsChecking(false)),
  });
  return { ...send, isChecking };
}
