import { api } from "@/lib/api-client";
import { useBlockMutation } from "../lib/use-block-mutation";

/** Block a time. The server answers 409 when it overlaps a session or another blocked time. */
export function useCreateBlock() {
  return useBlockMutation((body: { startsAt: string; endsAt: string }) => api.POST("/guru/blocks", { body }));
}
