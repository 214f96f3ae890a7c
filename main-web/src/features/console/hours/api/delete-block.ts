import { api } from "@/lib/api-client";
import { useBlockMutation } from "../lib/use-block-mutation";
import type { BlockList } from "./get-blocks";

/** Remove a blocked time, so that it can be booked again. */
export function useDeleteBlock() {
  return useBlockMutation((id: string) => api.delete<BlockList>(`/guru/blocks/${encodeURIComponent(id)}`));
}
