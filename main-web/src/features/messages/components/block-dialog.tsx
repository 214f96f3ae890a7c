import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { Confirm } from "@/components/ui/confirm";
import { Stack } from "@/components/ui/stack";
import { useUpdateThread } from "../api/update-thread";
import { shortName } from "../lib/texts";
import type { ThreadCard } from "../lib/types";

type BlockConfirmProps = { name: string; busy: boolean; onConfirm: () => void; onClose: () => void };

/** Ask before blocking, and say what it means for both. */
export function BlockConfirm({ name, busy, onConfirm, onClose }: BlockConfirmProps) {
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Block ${name}?`}
      action="Block"
      busy={busy}
      onConfirm={onConfirm}
    >
      <Stack>
        <p>You no longer find each other on Porchlight, and neither of you can write to or book the other.</p>
        <p>
          We don't tell {name}. Sessions you've already agreed on stay, and you can both cancel them for free. You can
          unblock {name} at any time, under Messages.
        </p>
      </Stack>
    </Confirm>
  );
}

/** Block the other side of a conversation, after asking. */
export function BlockDialog({ thread, onClose }: { thread: ThreadCard; onClose: () => void }) {
  const update = useUpdateThread(thread);
  const name = shortName(thread);

  async function confirm() {
    try {
      await update.mutateAsync("block");
      // Said also if this dialog is gone by now, unlike the callbacks of `mutate`.
      toast.success(`You blocked ${name}.`);
      onClose();
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return <BlockConfirm name={name} busy={update.isPending} onClose={onClose} onConfirm={() => void confirm()} />;
}
