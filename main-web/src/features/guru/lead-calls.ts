import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { DeskLead, Inbox, LeadStatus } from "./types";
import { useUid } from "./use-uid";

const at = (id: string) => `/guru/leads/${encodeURIComponent(id)}`;

/** People who wrote, a page at a time; without a status, all that are not archived. */
export function useLeads(status: LeadStatus | "", search: string) {
  const uid = useUid();
  return useInfiniteQuery({
    queryKey: ["guru", uid, "leads", status, search],
    queryFn: ({ signal, pageParam }) =>
      api.get<Inbox>("/guru/leads", { query: { status, q: search, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

const key = (uid: string, id: string) => ["guru", uid, "lead", id];

export function useLead(id: string) {
  const uid = useUid();
  return useQuery({
    queryKey: key(uid, id),
    queryFn: ({ signal }) => api.get<DeskLead>(at(id), { signal }),
    staleTime: 0,
    // An answer is mailed within a second or two: look until it says so.
    refetchInterval: (query) => (query.state.data?.answers.some((mail) => !mail.sentAt) ? 3_000 : false),
  });
}

function useChange<Sent>(id: string, change: (sent: Sent) => Promise<DeskLead>) {
  const uid = useUid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (lead) => {
      queries.setQueryData(key(uid, id), lead);
      void queries.invalidateQueries({ queryKey: ["guru", uid, "leads"] });
      void queries.invalidateQueries({ queryKey: ["guru", uid, "mine"] });
    },
  });
}

export const useSortLead = (id: string) =>
  useChange(id, (status: LeadStatus) => api.put<DeskLead>(`${at(id)}/status`, { body: { status } }));

/** @param attempt the same for every try at the same mail, so that it is sent once */
export const useAnswerLead = (id: string) =>
  useChange(id, ({ body, attempt }: { body: string; attempt: string }) =>
    api.post<DeskLead>(`${at(id)}/answers`, { body: { body }, headers: { "Idempotency-Key": attempt } }),
  );

export const useNoteLead = (id: string) =>
  useChange(id, (body: string) => api.post<DeskLead>(`${at(id)}/notes`, { body: { body } }));

export const useDeleteNote = (id: string) =>
  useChange(id, (note: string) => api.delete<DeskLead>(`${at(id)}/notes/${encodeURIComponent(note)}`));

export function exportLeads(): Promise<Blob> {
  return api.file("/guru/lead-export");
}
