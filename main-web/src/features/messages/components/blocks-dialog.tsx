import { UserCheck } from "lucide-react";
import { toast } from "@/lib/toast-store";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useDeleteBlock } from "../api/delete-block";
import { useBlocks } from "../api/get-blocks";
import styles from "./blocks-dialog.module.css";
import { formatLocalDate } from "@porchlight/shared/format/dates";

/** The people whom the user has blocked, and how to unblock them. */
export function BlocksDialog({ onClose }: { onClose: () => void }) {
  const blocks = useBlocks();
  const unblock = useDeleteBlock();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Blocked people"
      description="You and the people you block don't find each other, and can't write or book."
    >
      {blocks.isPending && <LoadingBlock height="6rem" />}
      {blocks.isLoadingError && (
        <ErrorState
          title="We couldn't load this list"
          message={blocks.error.message}
          onRetry={() => void blocks.refetch()}
          retrying={blocks.isFetching}
        />
      )}
      {blocks.data?.length === 0 && (
        <EmptyState icon={UserCheck} title="You haven't blocked anyone">
          To block someone, open your conversation with them and choose Block.
        </EmptyState>
      )}
      {blocks.data && blocks.data.length > 0 && (
        <ul className={styles.blocks}>
          {blocks.data.map(({ id, name, photoUrl, blockedAt }) => (
            <li key={id} className={styles.block}>
              <Avatar name={name} src={photoUrl} />
              <div className={styles.words}>
                <bdi className={styles.name}>{name}</bdi>
                <p className={styles.when}>Since {formatLocalDate(blockedAt)}</p>
              </div>
              <Button
                variant="secondary"
                size="sm"
                aria-label={`Unblock ${name}`}
                loading={unblock.isPending && unblock.variables === id}
                onClick={() =>
                  unblock.mutate(id, {
                    onSuccess: () => toast.success(`You unblocked ${name}.`),
                    onError: (error) => toast.error(error.message),
                  })
                }
              >
                Unblock
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
