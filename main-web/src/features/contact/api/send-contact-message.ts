import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export type ContactMessage = {
  name: string;
  email: string;
  subject: string;
  message: string;
  /** Honeypot field: users leave it empty. */
  website: string;
};

/** Send a message to the operators. The idempotency key makes repeated attempts count once. */
export function useSendContactMessage() {
  return useMutation({
    mutationFn: ({ idempotencyKey, message }: { idempotencyKey: string; message: ContactMessage }) =>
      api.post("/contact", { body: message, headers: { "Idempotency-Key": idempotencyKey } }),
  });
}
