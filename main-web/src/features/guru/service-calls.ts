import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { Offer, OfferPayload } from "./types";
import { useUid } from "./use-uid";

type Offers = { services: Offer[] };

const key = (uid: string) => ["guru", uid, "services"];
const at = (id: string) => `/guru/services/${encodeURIComponent(id)}`;

/** What one offers, in its order. */
export function useServices() {
  const uid = useUid();
  return useQuery({
    queryKey: key(uid),
    queryFn: ({ signal }) => api.get<Offers>("/guru/services", { signal }),
    staleTime: 0,
  });
}

function useChange<Sent>(change: (sent: Sent) => Promise<Offers>) {
  const uid = useUid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (all) => queries.setQueryData(key(uid), all),
    // Refused because the list is another by now: show that one.
    onError: () => void queries.invalidateQueries({ queryKey: key(uid) }),
  });
}

export const useSaveService = () =>
  useChange(({ id, offer }: { id: string | null; offer: OfferPayload }) =>
    id === null ? api.post<Offers>("/guru/services", { body: offer }) : api.put<Offers>(at(id), { body: offer }),
  );

export const useDeleteService = () => useChange((id: string) => api.delete<Offers>(at(id)));

export const useOrderServices = () =>
  useChange((ids: string[]) => api.put<Offers>("/guru/service-order", { body: { ids } }));
