import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useUid } from "./use-uid";
import type { MySite } from "./types";

export const myGuruQuery = (uid: string) =>
  queryOptions({
    queryKey: ["guru", uid, "mine"],
    queryFn: async ({ signal }) => (await api.get<{ guru: MySite | null }>("/guru", { signal })).guru,
  });

/** One's own site in short; null for a neighbor without one. Asks nothing while nobody is signed in. */
export function useMyGuru() {
  const uid = useUid();
  return useQuery({ ...myGuruQuery(uid), enabled: uid !== "" });
}
