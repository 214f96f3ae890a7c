import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { messageKeys } from "../lib/query-keys";

/** Unblock a person. */
export function useDeleteBlock() {
  const queries = useQueryClient();
  const userId = useCurrentUserId();
  return useMutation({
    mutationFn: (id: string) => api.DELETE("/blocks/{block_id}", { params: { path: { block_id: id } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: messageKeys.all(userId) }),
  });
}
