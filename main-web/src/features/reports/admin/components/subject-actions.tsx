import { Mail } from "lucide-react";
import { useState } from "react";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import styles from "@/components/ui/details.module.css";
import { ReasonForm } from "@/features/admin/contract";
import { useActOnSubject } from "../api/act-on-subject";
import { canBringBack, canTakeDown, SUBJECT_ACTIONS } from "../lib/subject-actions";
import type { ReportDetail } from "../lib/types";

type SubjectActionsProps = {
  report: ReportDetail;
  /** Called with what was done, so that the resolution can say it. */
  onDone: (done: string) => void;
};

/** Acts on what was reported: take it down, bring it back, or write to its owner. */
export function SubjectActions({ report, onDone }: SubjectActionsProps) {
  const [isReasonOpen, setIsReasonOpen] = useState(false);
  const act = useActOnSubject(report);
  const action = SUBJECT_ACTIONS[report.kind];

  function takeDown(reason: string) {
    onSettled(act.mutateAsync({ takeDown: true, reason }), () => {
      setIsReasonOpen(false);
      toast.success(action.done);
      onDone(`${action.done} ${reason}`);
    });
  }

  if (isReasonOpen)
    return (
      <ReasonForm
        submitLabel={`${action.verb} this ${action.noun}`}
        maxLength={action.maxReason}
        danger
        pending={act.isPending}
        error={act.error?.message}
        onSubmit={takeDown}
        onCancel={() => setIsReasonOpen(false)}
      >
        <p>{action.consequence}</p>
      </ReasonForm>
    );
  return (
    <>
      {act.error && <Notice tone="danger">{act.error.message}</Notice>}
      <div className={styles.actions}>
        {canTakeDown(report) && (
          <Button variant="danger" onClick={() => setIsReasonOpen(true)}>{`${action.verb} ${action.noun}…`}</Button>
        )}
        {canBringBack(report) && (
          <Button
            variant="secondary"
            loading={act.isPending}
            onClick={() =>
              onSettled(act.mutateAsync({ takeDown: false }), () => toast.success(`The ${action.noun} is back.`))
            }
          >
            {`Bring the ${action.noun} back`}
          </Button>
        )}
        {report.owner && (
          <Button asChild variant="secondary">
            <a href={`mailto:${encodeURIComponent(report.owner.email)}`}>
              <Mail size={16} aria-hidden="true" />
              {`Write to ${report.owner.name}`}
            </a>
          </Button>
        )}
      </div>
    </>
  );
}
