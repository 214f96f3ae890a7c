import { Scale } from "lucide-react";
import { ListView } from "@/features/admin/contract";
import type { Reconciliation } from "../lib/types";
import { useReconciliations } from "../api/get-reconciliations";
import { formatTimestamp } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";
import { formatNumber, pluralize } from "@porchlight/shared/format/numbers";

const resultOf = ({ centsOff, accountsOff }: Reconciliation) =>
  centsOff === 0 && accountsOff === 0
    ? "Matches"
    : `Off by ${formatCents(centsOff)} in ${pluralize(accountsOff, "account")}`;

/** The comparisons of the books with Stripe. */
export function ReconciliationsList() {
  const list = useReconciliations();
  return (
    <ListView
      list={list}
      label="Reconciliations"
      errorTitle="We couldn't load the reconciliations"
      empty={{ icon: Scale, title: "The books were not compared with Stripe yet." }}
      filtered={false}
      head={["Finished", "Result", "New lines", "Open findings"]}
      row={(run) => ({
        key: run.id,
        cells: [
          formatTimestamp(run.finishedAt),
          resultOf(run),
          formatNumber(run.lines),
          formatNumber(run.openFindings),
        ],
      })}
    />
  );
}
