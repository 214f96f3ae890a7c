import { api } from "@/lib/api-client";
import { useBlockMutation } from "../lib/use-block-mutation";

/** Remove a blocked time, so that it can be booked again. */
export function useDeleteBlock() {
  return useBlockMutation((id: string) =>
    api.DELETE("/guru/blocks/{block_id}", { params: { path: { block_id: id } } }),
  );
}
