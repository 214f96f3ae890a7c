import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { bookingsKey } from "../api/get-bookings";
import { packagesKey } from "./packages-key";
import type { PackagePayload, When } from "./types";

const packagesQuery = (userId: string) =>
  queryOptions({
    queryKey: [...packagesKey(userId), "offered"],
    queryFn: ({ signal }) => api.GET("/guru/packages", { signal }),
    staleTime: 0,
  });

const grantsQuery = (userId: string, when: When) =>
  infiniteQueryOptions({
    queryKey: [...packagesKey(userId), "grants", when],
    queryFn: ({ signal, pageParam }) =>
      api.GET("/guru/package-grants", { params: { query: { when, cursor: pageParam } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });

const personGrantsQuery = (userId: string, bookingId: string) =>
  queryOptions({
    queryKey: [...packagesKey(userId), "grants", "of booking", bookingId],
    queryFn: ({ signal }) => api.GET("/guru/package-grants", { params: { query: { bookingId } }, signal }),
    staleTime: 0,
  });

const grantQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...packagesKey(userId), "grant", id],
    queryFn: ({ signal }) => api.GET("/guru/package-grants/{grant_id}", { params: { path: { grant_id: id } }, signal }),
    staleTime: 0,
  });

const peopleQuery = (userId: string, search: string) =>
  queryOptions({
    queryKey: [...packagesKey(userId), "people", search],
    queryFn: ({ signal }) => api.GET("/guru/package-people", { params: { query: { search } }, signal }),
    staleTime: 0,
  });

/** List the packages that the guru gives. */
export const usePackages = () => useQuery(packagesQuery(useConsoleUserId()));

/** List the packages that people have, a page at a time. */
export const useGrants = (when: When) => useInfiniteQuery(grantsQuery(useConsoleUserId(), when));

/** List the packages with sessions left of the person of a booking. */
export const usePersonGrants = (bookingId: string) => useQuery(personGrantsQuery(useConsoleUserId(), bookingId));

/** Get a package that a person has, with its history. */
export const useGrant = (id: string) => useQuery(grantQuery(useConsoleUserId(), id));

/** List people to whom the guru can give a package. */
export const usePackagePeople = (search: string) => useQuery(peopleQuery(useConsoleUserId(), search));

/** Run a request that changes packages, and load all of them again: also after an error, they may have changed. */
function usePackageMutation<Variables>(mutationFn: (variables: Variables) => Promise<unknown>) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: packagesKey(userId) }),
  });
}

type Saved = { id: string | null; serviceId: string; idempotencyKey: string; values: PackagePayload };

/** Define a package, or change the one with this id. The idempotency key makes repeated attempts count once. */
export const useSavePackage = () =>
  usePackageMutation(({ id, serviceId, idempotencyKey, values }: Saved) =>
    id === null
      ? api.POST("/guru/packages", {
          body: { ...values, serviceId },
          headers: { "Idempotency-Key": idempotencyKey },
        })
      : api.PUT("/guru/packages/{package_id}", { params: { path: { package_id: id } }, body: values }),
  );

/** Stop giving a package. */
export const useDeletePackage = () =>
  usePackageMutation((id: string) =>
    api.DELETE("/guru/packages/{package_id}", { params: { path: { package_id: id } } }),
  );

type Given = { packageId: string; bookingId: string; coversBooking?: boolean; idempotencyKey: string };

/** Give a package to the person of a booking, which may use it. The idempotency key makes repeated attempts count once. */
export function useGrantPackage() {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey, ...body }: Given) =>
      api.POST("/guru/package-grants", { body, headers: { "Idempotency-Key": idempotencyKey } }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: packagesKey(userId) }),
        queries.invalidateQueries({ queryKey: bookingsKey(userId) }),
      ]),
  });
}

/** Let a person use their package for longer. */
export const useExtendPackage = (id: string) =>
  usePackageMutation((lastDay: string) =>
    api.PUT("/guru/package-grants/{grant_id}/last-day", { params: { path: { grant_id: id } }, body: { lastDay } }),
  );

/** Take back sessions that no booking uses. */
export const useTakeBackSessions = (id: string) =>
  usePackageMutation((body: { sessions: number; left: number; reason: string }) =>
    api.POST("/guru/package-grants/{grant_id}/withdrawal", { params: { path: { grant_id: id } }, body }),
  );
