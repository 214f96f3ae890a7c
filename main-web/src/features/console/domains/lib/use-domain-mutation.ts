import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useConsoleUserId } from "../../lib/use-console-user-id";
import { domainsQuery } from "../api/get-domains";

/** Run a request that changes a domain, then load the list. It succeeds when the list is loaded. */
export function useDomainMutation<Result, Input = string>(mutationFn: (input: Input) => Promise<Result>) {
  const { queryKey } = domainsQuery(useConsoleUserId());
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey }) });
}
