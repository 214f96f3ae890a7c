import { Flag } from "lucide-react";
import { useState } from "react";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { REPORT_KIND_LABELS, REPORT_REASON_LABELS } from "@/lib/report-labels";
import { ListFilters, ListView, NameButton, StatusBadge } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import { ReportDialog } from "./report-dialog";
import type { ReportRow } from "../lib/types";
import { useReports } from "../api/get-reports";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

/** Reports by users and visitors; open ones first. */
export function ReportsTab() {
  const [search, setSearch] = useSearchParamsText("search");
  const [status, setStatus] = useSearchParamsChoice("status", ["open", "resolved", "all"]);
  const [kind, setKind] = useSearchParamsChoice("kind", ["", "site", "post", "profile", "listing", "review", "thread"]);
  const [open, setOpen] = useState<ReportRow | null>(null);
  const list = useReports({ search, kind, status: status === "all" ? "" : status });
  return (
    <>
      <ListFilters
        search={{ label: "Search by name", value: search, onChange: setSearch }}
        choices={[
          {
            label: "Status",
            value: status,
            onChange: setStatus,
            options: [
              ["open", "Open"],
              ["resolved", "Resolved"],
              ["all", "All"],
            ],
          },
          {
            label: "Type",
            value: kind,
            onChange: setKind,
            options: [["", "Everything"], ...Object.entries(REPORT_KIND_LABELS)],
          },
        ]}
      />
      <ListView
        list={list}
        label="Reports"
        errorTitle="We couldn't load reports"
        empty={{ icon: Flag, title: "No reports yet." }}
        filtered={search !== "" || kind !== "" || status === "resolved"}
        head={["Subject", "Type", "Reason", "Status", "When"]}
        row={(report) => ({
          key: report.id,
          cells: [
            <NameButton
              key="name"
              name={report.title || report.name || "Deleted account"}
              note={report.name}
              onOpen={() => setOpen(report)}
            />,
            REPORT_KIND_LABELS[report.kind],
            REPORT_REASON_LABELS[report.reason] ?? report.reason,
            <StatusBadge key="status" status={report.status} />,
            formatRelativeTime(report.createdAt),
          ],
        })}
      />
      {open && <ReportDialog report={open} onClose={() => setOpen(null)} />}
    </>
  );
}
