import { Flag } from "lucide-react";
import { useState } from "react";
import { useAddressText } from "../../kit/use-address-text";
import { formatAgo } from "../../ui/format-date";
import { ListFilters, ListView } from "./list-view";
import { NameButton } from "./name-button";
import { ReportDialog } from "./report-dialog";
import { KINDS, REASONS } from "../../kit/report/report-words";
import { StatusBadge } from "./status-badge";
import type { ReportRow } from "./types";
import { useChoice } from "./use-choice";
import { useList } from "./use-list";

/** What neighbors and visitors reported; the open ones first to hand. */
export function ReportsTab() {
  const [search, setSearch] = useAddressText("search");
  const [status, setStatus] = useChoice("status", ["open", "resolved", "all"]);
  const [kind, setKind] = useChoice("kind", ["", "site", "post", "profile", "listing"]);
  const [open, setOpen] = useState<ReportRow | null>(null);
  const list = useList<ReportRow>("reports", { search, kind, status: status === "all" ? "" : status });
  return (
    <>
      <ListFilters
        search={{ label: "Search by address", value: search, onChange: setSearch }}
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
          { label: "About", value: kind, onChange: setKind, options: [["", "Everything"], ...Object.entries(KINDS)] },
        ]}
      />
      <ListView
        list={list}
        label="Reports"
        trouble="The reports could not be loaded"
        empty={{ icon: Flag, title: "Nothing has been reported." }}
        filtered={search !== "" || kind !== "" || status === "resolved"}
        head={["What", "Kind", "Reason", "Status", "When"]}
        row={(report) => ({
          key: report.id,
          cells: [
            <NameButton key="name" name={report.title || report.name} note={report.name} onOpen={() => setOpen(report)} />,
            KINDS[report.kind],
            REASONS[report.reason] ?? report.reason,
            <StatusBadge key="status" status={report.status} />,
            formatAgo(report.createdAt),
          ],
        })}
      />
      {open && <ReportDialog report={open} onClose={() => setOpen(null)} />}
    </>
  );
}
