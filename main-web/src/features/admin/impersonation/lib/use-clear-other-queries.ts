import { useQueryClient } from "@tanstack/react-query";
import { configQuery } from "@/lib/get-config";
import { ADMIN_KEY } from "../../lib/query-keys";

/** Return a function that drops everything cached for another user, except the config and admin data. */
export function useClearOtherQueries() {
  const queries = useQueryClient();
  const keptKeys: readonly unknown[] = [configQuery.queryKey[0], ADMIN_KEY];
  return () => queries.removeQueries({ predicate: (query) => !keptKeys.includes(query.queryKey[0]) });
}
