import { ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { PageHead } from "@/components/layout/page-head";
import styles from "@/components/ui/details.module.css";
import { ListFilters, ListView, NameButton } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import { RiskDialog } from "../components/risk-dialog";
import { RiskLevel } from "../components/risk-level";
import type { RiskReviewRow } from "../lib/types";
import { useRiskReviews } from "../api/get-risk-reviews";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatNumber } from "@porchlight/shared/format/numbers";

const EMPTY = { waiting: "Nothing to rate right now.", decided: "Nothing has been rated yet." };

/** Activities unknown to the risk engine, most frequent first, for staff to decide. */
export function RisksPage() {
  const [search, setSearch] = useSearchParamsText("search");
  const [status, setStatus] = useSearchParamsChoice("status", ["waiting", "decided"]);
  const [open, setOpen] = useState<RiskReviewRow | null>(null);
  const list = useRiskReviews({ search, status });
  return (
    <PageHead title="Risk reviews" description="New activities to rate.">
      <p className={styles.lead}>New activities to rate. Their current risk applies until you decide.</p>
      <ListFilters
        search={{ label: "Search by activity", value: search, onChange: setSearch }}
        choices={[
          {
            label: "Show",
            value: status,
            onChange: setStatus,
            options: [
              ["waiting", "Waiting"],
              ["decided", "Rated"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Risk reviews"
        errorTitle="We couldn't load risk reviews"
        empty={{ icon: ShieldQuestion, title: EMPTY[status] }}
        filtered={search !== ""}
        head={[
          "Activity",
          "Current risk",
          "Listings",
          "Requests",
          status === "decided" ? "Decided" : "First requested",
        ]}
        row={(review) => ({
          key: review.id,
          cells: [
            <NameButton
              key="name"
              name={review.activity || review.category}
              note={notes(review)}
              onOpen={() => setOpen(review)}
            />,
            <RiskLevel key="level" level={review.risk.rating} />,
            formatNumber(review.listings),
            times(review.seen),
            formatRelativeTime(review.decidedAt ?? review.firstSeenAt),
          ],
        })}
      />
      {open && <RiskDialog review={open} onClose={() => setOpen(null)} />}
    </PageHead>
  );
}

/** The category, and how many gurus wait for an answer. */
function notes({ category, activity, gurusAsking }: RiskReviewRow) {
  const asking = gurusAsking === 1 ? "1 guru asks" : `${formatNumber(gurusAsking)} gurus ask`;
  return [category && activity && `in ${category}`, gurusAsking > 0 && asking].filter(Boolean).join(", ");
}

const times = (count: number) => (count === 1 ? "Once" : `${formatNumber(count)} times`);
