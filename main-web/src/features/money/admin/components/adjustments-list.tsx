import { Check, ScrollText, X } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import detailStyles from "@/components/ui/details.module.css";
import { ListFilters, ListView, actorName } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import type { Adjustment } from "../lib/types";
import { useAdjustments } from "../api/get-adjustments";
import { useDecideAdjustment } from "../api/decide-adjustment";
import { ADJUSTMENT_KINDS, ADJUSTMENT_STATES } from "../lib/labels";
import { AdjustmentDialog } from "./adjustment-dialog";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

type Decision = { adjustment: Adjustment; approve: boolean };

/** The corrections of staff, with the buttons to request one and to decide. */
export function AdjustmentsList() {
  const [state, setState] = useSearchParamsChoice("state", ["requested", "posted", "rejected"]);
  const [isRequesting, setIsRequesting] = useState(false);
  const [decision, setDecision] = useState<Decision | null>(null);
  const list = useAdjustments({ state });
  const decide = useDecideAdjustment();

  function ask(asked: Decision) {
    decide.reset();
    setDecision(asked);
  }

  function send({ adjustment, approve }: Decision) {
    onSettled(decide.mutateAsync({ id: adjustment.id, approve }), () => {
      setDecision(null);
      toast.success(approve ? "Approved and posted." : "Rejected.");
    });
  }

  return (
    <>
      <ListFilters
        choices={[
          {
            label: "Show",
            value: state,
            onChange: setState,
            options: [
              ["requested", "Needs approval"],
              ["posted", "Posted"],
              ["rejected", "Rejected"],
            ],
          },
        ]}
      >
        <Button onClick={() => setIsRequesting(true)}>Request an adjustment</Button>
      </ListFilters>
      <ListView
        list={list}
        label="Adjustments"
        errorTitle="We couldn't load the adjustments"
        empty={{
          icon: ScrollText,
          title: state === "requested" ? "Nothing needs approval." : "No decided adjustments yet.",
        }}
        filtered={false}
        head={[
          "Adjustment",
          "Amount",
          "State",
          "Reason",
          "Requested by",
          state === "requested" ? "Action" : "Decided by",
        ]}
        row={(adjustment) => {
          const [label, tone] = ADJUSTMENT_STATES[adjustment.state];
          return {
            key: adjustment.id,
            cells: [
              <span key="name" className={detailStyles.naming}>
                {ADJUSTMENT_KINDS[adjustment.kind]}
                {adjustment.person && <span className={detailStyles.note}>{adjustment.person}</span>}
              </span>,
              formatCents(adjustment.cents),
              <Badge key="state" tone={tone}>
                {label}
              </Badge>,
              adjustment.reason,
              `${actorName(adjustment.requestedBy)}, ${formatRelativeTime(adjustment.requestedAt)}`,
              adjustment.state === "requested" ? (
                <span key="decide" className={detailStyles.actions}>
                  <Button size="sm" onClick={() => ask({ adjustment, approve: true })}>
                    <Check size={15} aria-hidden="true" />
                    Approve
                  </Button>
                  <Button size="sm" variant="secondary" onClick={() => ask({ adjustment, approve: false })}>
                    <X size={15} aria-hidden="true" />
                    Reject
                  </Button>
                </span>
              ) : adjustment.decidedBy ? (
                actorName(adjustment.decidedBy)
              ) : (
                "No approval needed"
              ),
            ],
          };
        }}
      />
      {isRequesting && <AdjustmentDialog onClose={() => setIsRequesting(false)} />}
      {decision && (
        <Confirm
          open
          onOpenChange={(isOpen) => !isOpen && setDecision(null)}
          title={decision.approve ? "Approve this adjustment?" : "Reject this adjustment?"}
          description={`${ADJUSTMENT_KINDS[decision.adjustment.kind]}: ${formatCents(decision.adjustment.cents)}. ${
            decision.approve ? "It is posted at once." : "It stays in the list of rejected ones."
          }`}
          action={decision.approve ? "Approve and post" : "Reject adjustment"}
          actionVariant={decision.approve ? "primary" : "danger"}
          busy={decide.isPending}
          onConfirm={() => send(decision)}
        >
          {decide.isError && <Notice tone="danger">{decide.error.message}</Notice>}
        </Confirm>
      )}
    </>
  );
}
