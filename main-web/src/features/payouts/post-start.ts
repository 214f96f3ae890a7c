import { useMutation } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { Address } from "./own";

/** Goes to Stripe's page where one says who one is (SPEC 7.2). */
export function useStart() {
  return useMutation({
    mutationFn: () => api.post<Address>("/connect/start"),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}
