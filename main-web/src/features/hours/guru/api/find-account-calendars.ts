import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

/** Find the calendars of an account at a calendar server. Nothing is stored. */
export function useFindAccountCalendars() {
  return useMutation({
    mutationFn: (account: { url: string; user: string; password: string }) =>
      api.POST("/guru/busy-sources/accounts", { body: account }),
  });
}
