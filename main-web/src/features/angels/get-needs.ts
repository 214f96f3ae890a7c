import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useUid } from "./own-services";
import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];
export type Need = Schemas["NeedAnswer"];
export type NeedData = Schemas["NeedData"];
export type Offer = Schemas["NeedOfferAnswer"];
export type OwnOffer = Schemas["OwnNeedOfferAnswer"];

export const needKey = (uid: string) => ["needs", uid];

const pages = { initialPageParam: "", staleTime: 0 };

const boardQuery = (uid: string, wanted: { service: string; fitting: boolean }) =>
  infiniteQueryOptions({
    ...pages,
    queryKey: [...needKey(uid), "board", wanted],
    queryFn: ({ signal, pageParam }) =>
      api.get<Schemas["NeedsData"]>("/needs", { signal, query: { ...wanted, cursor: pageParam } }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

const ownNeedsQuery = (uid: string) =>
  infiniteQueryOptions({
    ...pages,
    queryKey: [...needKey(uid), "own"],
    queryFn: ({ signal, pageParam }) => api.get<Schemas["NeedsData"]>("/own-needs", { signal, query: { cursor: pageParam } }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

const ownOffersQuery = (uid: string) =>
  infiniteQueryOptions({
    ...pages,
    queryKey: [...needKey(uid), "offers"],
    queryFn: ({ signal, pageParam }) =>
      api.get<Schemas["NeedOffersData"]>("/need-offers", { signal, query: { cursor: pageParam } }),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

export const needQuery = (uid: string, id: string) =>
  queryOptions({
    queryKey: [...needKey(uid), "one", id],
    queryFn: ({ signal }) => api.get<NeedData>(`/needs/${encodeURIComponent(id)}`, { signal }),
    staleTime: 0,
  });

/** Others' open needs, the newest first. */
export function useBoard(wanted: { service: string; fitting: boolean }) {
  return useInfiniteQuery(boardQuery(useUid(), wanted));
}

export function useOwnNeeds() {
  const uid = useUid();
  return useInfiniteQuery({ ...ownNeedsQuery(uid), enabled: uid !== "" });
}

export function useOwnOffers() {
  return useInfiniteQuery(ownOffersQuery(useUid()));
}

/** One need, with its offers for who has it. */
export function useNeed(id: string) {
  return useQuery(needQuery(useUid(), id));
}
