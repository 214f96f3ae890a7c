import { api } from "@/lib/api-client";
import { useFixedStartMutation } from "../lib/use-fixed-start-mutation";
import { startsUrl, type FixedStartList } from "./get-fixed-starts";

/** Add a session with a fixed start. The server answers 409 when it overlaps another one. */
export function useCreateFixedStart(serviceId: string) {
  return useFixedStartMutation(serviceId, (startsAt: string) =>
    api.post<FixedStartList>(startsUrl(serviceId), { body: { startsAt } }),
  );
}
