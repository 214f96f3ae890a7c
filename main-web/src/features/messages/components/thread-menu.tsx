import { Archive, ArchiveRestore, Ban, BellOff, Ellipsis, Flag, UserCheck } from "lucide-react";
import { useState } from "react";
import { useFlag } from "@/lib/feature-flags";
import { toast } from "@/lib/toast-store";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { useUpdateThread, type ThreadChange } from "../api/update-thread";
import type { ThreadCard } from "../lib/types";
import { BlockDialog } from "./block-dialog";
import { ReportDialog } from "./report-dialog";
import styles from "./thread-head.module.css";

const DONE: Partial<Record<ThreadChange, string>> = {
  mute: "Muted. You won't get emails about this conversation.",
  unmute: "Emails about this conversation are on again.",
  archive: "Archived. It comes back when someone writes.",
  unarchive: "Back in your inbox.",
};

/** What can be done with a conversation: mute, archive, block, report. */
export function ThreadMenu({ thread }: { thread: ThreadCard }) {
  const update = useUpdateThread(thread);
  const hasReports = useFlag("systemReports");
  const [dialog, setDialog] = useState<"block" | "report" | null>(null);

  const change = (next: ThreadChange) =>
    update.mutate(next, {
      onSuccess: () => toast.success(DONE[next] ?? "Done"),
      onError: (error) => toast.error(error.message),
    });

  return (
    <>
      <Menu
        label="Conversation"
        trigger={
          <Button
            variant="ghost"
            size="sm"
            className={styles.more}
            aria-label="Conversation options"
            loading={update.isPending}
          >
            {!update.isPending && <Ellipsis size={20} aria-hidden="true" />}
          </Button>
        }
      >
        <MenuItem icon={BellOff} onSelect={() => change(thread.muted ? "unmute" : "mute")}>
          {thread.muted ? "Unmute" : "Mute"}
        </MenuItem>
        <MenuItem
          icon={thread.archived ? ArchiveRestore : Archive}
          onSelect={() => change(thread.archived ? "unarchive" : "archive")}
        >
          {thread.archived ? "Move to inbox" : "Archive"}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={thread.blocked === "by_me" ? UserCheck : Ban}
          onSelect={() => (thread.blocked === "by_me" ? change("unblock") : setDialog("block"))}
        >
          {thread.blocked === "by_me" ? "Unblock" : "Block"}
        </MenuItem>
        {hasReports && (
          <MenuItem icon={Flag} onSelect={() => setDialog("report")}>
            Report
          </MenuItem>
        )}
      </Menu>
      {dialog === "block" && <BlockDialog thread={thread} onClose={() => setDialog(null)} />}
      {dialog === "report" && <ReportDialog thread={thread} onClose={() => setDialog(null)} />}
    </>
  );
}
