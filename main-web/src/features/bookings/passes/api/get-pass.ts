import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { forgetData, keepData, keptData } from "@/lib/kept-data";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { Pass } from "../lib/types";
import { ApiError } from "@porchlight/shared/client";

/** A pass is kept for so long after its session: a week. */
const KEPT_MS = 7 * 86_400_000;

type KeptPass = { pass: Pass; keptAt: string };
/** A pass. `keptAt`: it could not be loaded now, and is the one that was kept then. `isKept`: it lasts. */
export type ShownPass = { pass: Pass; keptAt: string | null; isKept: boolean };
/** Why there is no pass: the session is unknown (404), or is not booked any more (409). */
export type NoPass = { pass: null; status: 404 | 409; message: string };

const keyOf = (userId: string, bookingId: string) => `pass/${userId}/${bookingId}/`;

/** Get the pass of a session that the signed-in user booked; without a connection, the one that was kept. */
export function usePass(id: string) {
  const userId = useCurrentUserId();
  return useQuery({
    queryKey: ["pass", userId, id],
    queryFn: ({ signal }) =>
      loadOrKept(keyOf(userId, id), () =>
        api.GET("/bookings/{booking_id}/pass", { params: { path: { booking_id: id } }, signal }),
      ).finally(() => forgetOld(userId)),
    networkMode: "always",
    staleTime: 0,
  });
}

/** Get the pass of the session that a guru booked for the bearer of a link. */
export function useBookedPass(link: string) {
  return useQuery({
    queryKey: ["pass", "link", link],
    queryFn: ({ signal }) =>
      loadOrKept(`pass/link/${link}/`, () => api.GET("/booked/{link}/pass", { params: { path: { link } }, signal })),
    networkMode: "always",
    staleTime: 0,
  });
}

async function loadOrKept(key: string, load: () => Promise<Pass>): Promise<ShownPass | NoPass> {
  let pass: Pass;
  try {
    pass = await load();
  } catch (reason) {
    const status = reason instanceof ApiError ? reason.status : 0;
    if (reason instanceof ApiError && (status === 404 || status === 409)) {
      await forgetData(key);
      return { pass: null, status, message: reason.message };
    }
    const [kept] = (await keptData(key)) as KeptPass[];
    if (kept && (status === 0 || status >= 500)) return { ...kept, isKept: true };
    throw reason;
  }
  const kept: KeptPass = { pass, keptAt: new Date().toISOString() };
  return { pass, keptAt: null, isKept: await keepData(key, kept) };
}

async function forgetOld(userId: string): Promise<void> {
  for (const { pass } of (await keptData(`pass/${userId}/`)) as KeptPass[]) {
    if (Date.parse(pass.endsAt) + KEPT_MS < Date.now()) await forgetData(keyOf(userId, pass.bookingId));
  }
}
