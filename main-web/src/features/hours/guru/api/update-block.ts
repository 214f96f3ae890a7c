import { api } from "@/lib/api-client";
import { useBlockMutation } from "../lib/use-block-mutation";

/** Give a blocked time another start and end. The server answers 409 when it then overlaps another time. */
export function useUpdateBlock() {
  return useBlockMutation(({ id, ...body }: { id: string; startsAt: string; endsAt: string }) =>
    api.PUT("/guru/blocks/{block_id}", { params: { path: { block_id: id } }, body }),
  );
}
