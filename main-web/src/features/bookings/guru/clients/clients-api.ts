import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { bookingsKey } from "../api/get-bookings";
import type { ClientDetails, Show } from "./types";

/** The key of all that is about clients. Changes of bookings change them, too. */
const clientsKey = (userId: string) => [...bookingsKey(userId), "clients"];

const clientsQuery = (userId: string, show: Show, search: string) =>
  infiniteQueryOptions({
    queryKey: [...clientsKey(userId), "list", show, search],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/guru/clients", { params: { query: { show, q: search, cursor: pageParam } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

const clientQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...clientsKey(userId), "one", id],
    queryFn: ({ signal }) => api.GET("/guru/clients/{client_id}", { params: { path: { client_id: id } }, signal }),
    staleTime: 0,
  });

const clientBookingsQuery = (userId: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [...clientsKey(userId), "bookings", id],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/guru/clients/{client_id}/bookings", {
        params: { path: { client_id: id }, query: { cursor: pageParam } },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });

/** List the people who booked, a page at a time. */
export const useClients = (show: Show, search: string) =>
  useInfiniteQuery(clientsQuery(useConsoleUserId(), show, search));

/** Get a client with the guru's note. */
export const useClient = (id: string) => useQuery(clientQuery(useConsoleUserId(), id));

/** List the sessions of a client, a page at a time. */
export const useClientBookings = (id: string) => useInfiniteQuery(clientBookingsQuery(useConsoleUserId(), id));

/** Save the note about a client. After a refusal the saved one is loaded again. */
export function useSaveClientNote(id: string) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  const { queryKey } = clientQuery(userId, id);
  return useMutation({
    mutationFn: (body: { body: string; digest: string }) =>
      api.PUT("/guru/clients/{client_id}/note", { params: { path: { client_id: id } }, body }),
    onSuccess: (note) =>
      queries.setQueryData<ClientDetails>(queryKey, (client) => (client ? { ...client, note } : client)),
    onError: () => queries.invalidateQueries({ queryKey }),
  });
}
