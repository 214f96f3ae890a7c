import { Landmark } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import detailStyles from "@/components/ui/details.module.css";
import { ListFilters, ListView } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import type { Dispute } from "../lib/types";
import { useDisputes } from "../api/get-disputes";
import { DISPUTE_STATES, humanize } from "../lib/labels";
import { formatRelativeTime, formatTimestamp } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

/** Say whose payment it is, and for what. */
function aboutText({ kind, person, guru }: Dispute): string {
  const payer = person || "Deleted account";
  return kind === "plan" ? `${payer}, for a plan` : `${payer}, for a session${guru === "" ? "" : ` with ${guru}`}`;
}

/** The payments that users' banks dispute. For plans, evidence is sent in Stripe's dashboard; for sessions, by gurus. */
export function DisputesList() {
  const [state, setState] = useSearchParamsChoice("state", ["open", "decided"]);
  const list = useDisputes({ state });
  return (
    <>
      <ListFilters
        choices={[
          {
            label: "Show",
            value: state,
            onChange: setState,
            options: [
              ["open", "Open"],
              ["decided", "Decided"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Disputes"
        errorTitle="We couldn't load the disputes"
        empty={{ icon: Landmark, title: state === "open" ? "No open disputes." : "No decided disputes yet." }}
        filtered={false}
        head={["Dispute", "Amount", "State", "At Stripe", "Evidence until", "Opened"]}
        row={(dispute) => {
          const [label, tone] = DISPUTE_STATES[dispute.state];
          return {
            key: dispute.id,
            cells: [
              <span key="name" className={detailStyles.naming}>
                {humanize(dispute.reason)}
                <span className={detailStyles.note}>{aboutText(dispute)}</span>
              </span>,
              dispute.feeCents > 0
                ? `${formatCents(dispute.cents)}, fee ${formatCents(dispute.feeCents)}`
                : formatCents(dispute.cents),
              <Badge key="state" tone={tone}>
                {label}
              </Badge>,
              dispute.stripeId,
              dispute.isAnswered ? "Answered" : dispute.dueBy ? formatTimestamp(dispute.dueBy) : "None",
              formatRelativeTime(dispute.openedAt),
            ],
          };
        }}
      />
    </>
  );
}
