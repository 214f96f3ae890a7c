import { useState } from "react";
import { onSettled } from "@/lib/on-settled";
import { personName } from "@/lib/person-name";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { DataList, DataRow, RowButtons, RowFacts, RowName, RowText } from "@/components/ui/data-list";
import { toast } from "@/lib/toast-store";
import { ReviewForm } from "../../components/review-form";
import { useReviewDraft } from "../../lib/review-draft";
import type { DueReview } from "../api/get-due-reviews";
import { useWriteReview } from "../api/write-review";
import { formatSessionDay } from "@porchlight/shared/format/session-times";

/** The neighbors whom the guru can review, each with the form in a dialog. */
export function DueList({ sessions }: { sessions: DueReview[] }) {
  const [open, setOpen] = useState<DueReview | null>(null);
  return (
    <>
      <DataList>
        {sessions.map((session) => (
          <DataRow key={session.bookingId}>
            <RowText>
              <RowName as="h3">{nameOf(session)}</RowName>
              <RowFacts>
                {session.serviceName}, {formatSessionDay(session.startsAt, session.zone)} · until{" "}
                {formatSessionDay(session.openUntil, session.zone)}
                {session.missed && <Badge tone="warning">Missed</Badge>}
              </RowFacts>
            </RowText>
            <RowButtons>
              <Button variant="secondary" size="sm" onClick={() => setOpen(session)}>
                Review <span className="visually-hidden">{nameOf(session)}</span>
              </Button>
            </RowButtons>
          </DataRow>
        ))}
      </DataList>
      {open && <WriteDialog key={open.bookingId} session={open} onClose={() => setOpen(null)} />}
    </>
  );
}

const nameOf = ({ name }: DueReview) => personName({ personName: name });

function WriteDialog({ session, onClose }: { session: DueReview; onClose: () => void }) {
  const write = useWriteReview();
  const draft = useReviewDraft(`guru.${session.bookingId}`);
  const until = formatSessionDay(session.openUntil, session.zone);

  function submit() {
    const { stars, body } = draft.values;
    onSettled(write.mutateAsync({ id: session.bookingId, stars, body: body.trim() }), () => {
      draft.forget();
      onClose();
      toast.success("Thanks! Your review is saved.");
    });
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Review ${nameOf(session)}`}
      description={`Hidden until you both write, or until ${until}.`}
      width={520}
      fullScreenOnPhones
    >
      <ReviewForm
        legend={`${session.serviceName}, ${formatSessionDay(session.startsAt, session.zone)}`}
        values={draft.values}
        onChange={(changes) => draft.change(changes)}
        onSubmit={submit}
        pending={write.isPending}
        error={write.error}
        submitLabel="Send review"
        hint="They read it, and so do gurus whom they ask for a session. It's never public."
      >
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </ReviewForm>
    </Dialog>
  );
}
