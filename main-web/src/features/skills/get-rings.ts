import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";

type Answer = "accepted" | "declined";
export type RingMember = { handle: string; name: string; teaches: string; answer: Answer | null; you: boolean };
/** Three neighbors, each of whom teaches the next, the last one the first. */
export type Ring = { id: string; state: "proposed" | "agreed"; times: string[]; members: RingMember[] };
type RingList = { rings: Ring[] };

const key = (userId: string | null) => ["skills", "rings", userId];

/** The swap rings somebody is asked about or part of. */
export function useRings(userId: string | null) {
  return useQuery({
    queryKey: key(userId),
    queryFn: ({ signal }) => api.get<RingList>("/skills/rings", { signal }),
    enabled: userId !== null,
  });
}

/** Accepts or declines a ring. */
export function useAnswerRing(userId: string | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, answer }: { id: string; answer: Answer }) =>
      api.post<RingList>(`/skills/rings/${encodeURIComponent(id)}`, { body: { answer } }),
    onSuccess: (rings) => client.setQueryData(key(userId), rings),
  });
}
