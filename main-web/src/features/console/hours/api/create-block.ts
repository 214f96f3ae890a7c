import { api } from "@/lib/api-client";
import { useBlockMutation } from "../lib/use-block-mutation";
import type { BlockList } from "./get-blocks";

/** Block a time. The server answers 409 when it overlaps a session or another blocked time. */
export function useCreateBlock() {
  return useBlockMutation((body: { startsAt: string; endsAt: string }) =>
    api.post<BlockList>("/guru/blocks", { body }),
  );
}
