import { useMutation } from "@tanstack/react-query";
import { api } from "../../kit/api";

export type ContactMessage = {
  name: string;
  email: string;
  subject: string;
  message: string;
  /** Honeypot: people leave it empty. */
  website: string;
};

/** Sends a message to the operators. The key makes a repeated attempt count once. */
export function usePostContact() {
  return useMutation({
    mutationFn: ({ key, message }: { key: string; message: ContactMessage }) =>
      api.post("/contact", { body: message, headers: { "Idempotency-Key": key } }),
  });
}
