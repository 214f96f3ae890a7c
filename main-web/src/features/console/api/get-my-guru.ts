import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { MyGuru } from "../lib/types";
import { useConsoleUserId } from "../lib/use-console-user-id";

export const myGuruQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "mine"],
    queryFn: async ({ signal }) => (await api.get<{ guru: MyGuru | null }>("/guru", { signal })).guru,
  });

/** Get a summary of the user's own site; null for a user without one. Disabled while signed out. */
export function useMyGuru() {
  const userId = useConsoleUserId();
  return useQuery({ ...myGuruQuery(userId), enabled: userId !== "" });
}
