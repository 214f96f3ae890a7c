import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { paths } from "@/config/paths";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { Facts } from "@/components/ui/details";
import detailStyles from "@/components/ui/details.module.css";
import { ListFilters, ListView, NameButton, ReasonForm, actorName } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import type { MoneyFinding } from "../lib/types";
import { useFindings } from "../api/get-findings";
import { useExplainFinding } from "../api/explain-finding";
import { useSendAgain } from "../api/send-again";
import { FINDING_KINDS, humanize } from "../lib/labels";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

const EMPTY = {
  open: "No open findings.",
  explained: "Nothing has been explained yet.",
  gone: "Nothing went away by itself.",
};

// What staff can send again, and what it means.
const FAILURES: Record<string, string> = {
  failed_refund:
    "The person's bank or Stripe sent this refund back, so the person has not got their money. Send it again, or return it in another way and say how.",
  stuck_transfer:
    "Stripe did not take this transfer, so the guru's earnings are still with us. Send it again once their account can be paid.",
};

const kindOf = ({ kind }: MoneyFinding) => FINDING_KINDS[kind] ?? humanize(kind);

/** The differences between the books and Stripe, and their explanations. */
export function FindingsList() {
  const [state, setState] = useSearchParamsChoice("state", ["open", "explained", "gone"]);
  const [open, setOpen] = useState<MoneyFinding | null>(null);
  const list = useFindings({ state });
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
              ["explained", "Explained"],
              ["gone", "No longer found"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Findings"
        errorTitle="We couldn't load the findings"
        empty={{
          icon: CircleCheck,
          title: EMPTY[state],
        }}
        filtered={false}
        head={["Finding", "Difference", "At Stripe", "Account", state === "explained" ? "Explained by" : "Found"]}
        row={(finding) => ({
          key: finding.id,
          cells: [
            <NameButton key="name" name={kindOf(finding)} onOpen={() => setOpen(finding)} />,
            formatCents(finding.cents),
            finding.stripeId || "None",
            finding.account || "Platform",
            state === "explained" ? actorName(finding.explainedBy) : formatRelativeTime(finding.foundAt),
          ],
        })}
      />
      {open && <FindingDialog finding={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function FindingDialog({ finding, onClose }: { finding: MoneyFinding; onClose: () => void }) {
  const explain = useExplainFinding(finding.id);
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={kindOf(finding)} width={800}>
      <div className={detailStyles.body}>
        <Facts
          facts={[
            ["Difference", formatCents(finding.cents)],
            ["At Stripe", finding.stripeId],
            ["Account", finding.account || "Platform"],
            ["Found", formatRelativeTime(finding.foundAt)],
            ["Explained by", finding.explainedBy && actorName(finding.explainedBy)],
          ]}
        />
        {finding.note && <blockquote className={detailStyles.quote}>{finding.note}</blockquote>}
        {finding.state === "open" && FAILURES[finding.kind] && <SendAgain finding={finding} onDone={onClose} />}
        {finding.state === "open" && (
          <ReasonForm
            submitLabel="Mark as explained"
            pending={explain.isPending}
            error={explain.error?.message}
            onSubmit={(note) =>
              onSettled(explain.mutateAsync(note), () => {
                onClose();
                toast.success("Saved. The finding is explained.");
              })
            }
            onCancel={onClose}
          >
            {finding.kind === "failed_event" ? (
              <p>
                Processing this event failed 8 times. <Link to={`${paths.adminMoney}?tab=events`}>Run it again</Link>{" "}
                once the cause is gone, or say why it does not matter.
              </p>
            ) : (
              <p>Say why this is not an error, or how you corrected it. This moves no money.</p>
            )}
          </ReasonForm>
        )}
      </div>
    </Dialog>
  );
}

function SendAgain({ finding, onDone }: { finding: MoneyFinding; onDone: () => void }) {
  const again = useSendAgain(finding);

  function send() {
    onSettled(again.mutateAsync(), () => {
      onDone();
      toast.success("Sent again. The finding goes away once it has worked.");
    });
  }

  return (
    <div className={detailStyles.body}>
      <p>{FAILURES[finding.kind]}</p>
      {again.isError && <Notice tone="danger">{again.error.message}</Notice>}
      <div>
        <Button loading={again.isPending} onClick={send}>
          Send again
        </Button>
      </div>
    </div>
  );
}
