import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useUid, type Paper } from "./own";

/** Links to uploads are good for five minutes: the list is fetched anew before they end. */
const FRESH = 4 * 60_000;

export const documentsQuery = (uid: string) =>
  queryOptions({
    queryKey: ["documents", uid],
    queryFn: ({ signal }) => api.get<{ documents: Paper[] }>("/onboarding/documents", { signal }),
    staleTime: 10_000,
    refetchInterval: FRESH,
  });

/** One's own documents, the newest first. */
export function useDocuments() {
  return useQuery(documentsQuery(useUid()));
}
