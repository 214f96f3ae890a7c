import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { waiverTextQuery } from "./get-waiver-text";

/** Change the guru's waiver text. The server answers 409 when it changed since `revision`. */
export function useUpdateWaiverText() {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { revision: number; body: string }) => api.PUT("/guru/waiver-text", { body }),
    onSuccess: (text) => queries.setQueryData(waiverTextQuery(userId).queryKey, text),
  });
}
