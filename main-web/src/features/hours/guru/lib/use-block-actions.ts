import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { useCreateBlock } from "../api/create-block";
import { useDeleteBlock } from "../api/delete-block";
import { useUpdateBlock } from "../api/update-block";
import type { BlockedTime } from "./types";

type BlockTimes = Pick<BlockedTime, "startsAt" | "endsAt">;

const sameTime = (startsAt: string) => (other: BlockTimes) => Date.parse(other.startsAt) === Date.parse(startsAt);

/** Block, change and free times. Each says what it did in a toast that undoes it. */
export function useBlockActions() {
  const create = useCreateBlock();
  const update = useUpdateBlock();
  const remove = useDeleteBlock();

  async function undo(change: () => Promise<unknown>, done: string) {
    try {
      await change();
      toast.success(done);
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  const undoing = (change: () => Promise<unknown>, done: string) => ({
    label: "Undo",
    run: () => void undo(change, done),
  });

  /** Block a time, or give the blocked time `before` another one. Rejects with the error of the request. */
  async function saveBlock({ startsAt, endsAt }: BlockTimes, before: BlockedTime | null) {
    if (before) {
      await update.mutateAsync({ id: before.id, startsAt, endsAt });
      toast.success(
        "Changed.",
        undoing(() => update.mutateAsync(before), "It's at its old time again."),
      );
      return;
    }
    // Blocked times don't overlap, so the start names the new one.
    const { blocks } = await create.mutateAsync({ startsAt, endsAt });
    const added = blocks.find(sameTime(startsAt));
    const action = added && undoing(() => remove.mutateAsync(added.id), "Removed. The time is free again.");
    toast.success("Added. Neighbors can't book this time.", action);
  }

  /** Free a blocked time. Says why if it can't. */
  async function removeBlock({ id, startsAt, endsAt }: BlockedTime): Promise<boolean> {
    try {
      await remove.mutateAsync(id);
    } catch (reason) {
      toast.error(errorMessage(reason));
      return false;
    }
    const action = undoing(() => create.mutateAsync({ startsAt, endsAt }), "Blocked again.");
    toast.success("Removed. The time is free again.", action);
    return true;
  }

  const save = {
    error: create.error ?? update.error,
    isError: create.isError || update.isError,
    isPending: create.isPending || update.isPending,
    reset() {
      create.reset();
      update.reset();
    },
  };
  return { saveBlock, save, removeBlock, isRemoving: remove.isPending };
}
