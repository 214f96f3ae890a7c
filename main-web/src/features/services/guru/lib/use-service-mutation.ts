import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { ServiceList } from "./types";
import { servicesQuery } from "../api/get-services";

/** Run a request that returns the changed list of services. */
export function useServiceMutation<Variables>(mutationFn: (variables: Variables) => Promise<ServiceList>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  const { queryKey } = servicesQuery(userId);
  return useMutation({
    mutationFn,
    onSuccess: (list) => queries.setQueryData(queryKey, list),
    // The request fails when the list changed elsewhere: load it again.
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}
