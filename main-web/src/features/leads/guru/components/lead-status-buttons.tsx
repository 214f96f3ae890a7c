import { Archive, ArchiveRestore } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/lib/toast-store";
import { ButtonRow } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import { useUpdateLeadStatus } from "../api/update-lead-status";
import type { ConsoleLead } from "../lib/types";

/** Archives a lead or moves it back to the inbox. A new lead is marked as read once it is shown. */
export function LeadStatusButtons({ lead }: { lead: ConsoleLead }) {
  const update = useUpdateLeadStatus(lead.id);
  const { mutate } = update;
  const isMarkedRead = useRef(false);

  useEffect(() => {
    if (lead.status !== "new" || isMarkedRead.current) return;
    isMarkedRead.current = true;
    mutate("read");
  }, [lead.status, mutate]);

  async function updateStatus(status: ConsoleLead["status"], done: string) {
    try {
      await update.mutateAsync(status);
      toast.success(done);
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <ButtonRow>
      {lead.status === "archived" ? (
        <Button
          variant="secondary"
          loading={update.isPending}
          onClick={() => void updateStatus(lead.answers.length ? "answered" : "read", "Moved to inbox.")}
        >
          <ArchiveRestore size={16} aria-hidden="true" />
          Move to inbox
        </Button>
      ) : (
        <>
          {lead.status !== "new" && (
            <Button
              variant="ghost"
              disabled={update.isPending}
              onClick={() => void updateStatus("new", "Marked as new.")}
            >
              Mark as new
            </Button>
          )}
          <Button
            variant="secondary"
            loading={update.isPending}
            onClick={() => void updateStatus("archived", "Archived.")}
          >
            <Archive size={16} aria-hidden="true" />
            Archive
          </Button>
        </>
      )}
    </ButtonRow>
  );
}
