import { ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { useAddressText } from "../../kit/use-address-text";
import { formatAgo } from "../../ui/format-date";
import { Page } from "../../ui/page";
import styles from "./details.module.css";
import { ListFilters, ListView } from "./list-view";
import { NameButton } from "./name-button";
import { RiskDialog } from "./risk-dialog";
import { RiskLevel } from "./risk-level";
import type { RiskReviewRow } from "./types";
import { useChoice } from "./use-choice";
import { useList } from "./use-list";

const NUMBER = new Intl.NumberFormat("en-US");
const EMPTY = { waiting: "Nothing waits to be rated.", decided: "Nothing has been decided yet." };

/** What the risk engine does not know, for staff to decide: what is asked about most comes first. */
export function RisksPage() {
  const [search, setSearch] = useAddressText("search");
  const [status, setStatus] = useChoice("status", ["waiting", "decided"]);
  const [open, setOpen] = useState<RiskReviewRow | null>(null);
  const list = useList<RiskReviewRow>("risk-reviews", { search, status });
  return (
    <Page title="Risk reviews" description="Activities that nobody has rated yet.">
      <h2 className={styles.heading}>Risk reviews</h2>
      <p className={styles.lead}>
        Activities that nobody has rated yet. Each counts as medium risk until you decide; your decision counts everywhere from
        then on.
      </p>
      <ListFilters
        search={{ label: "Search by words", value: search, onChange: setSearch }}
        choices={[
          {
            label: "Show",
            value: status,
            onChange: setStatus,
            options: [
              ["waiting", "Waiting"],
              ["decided", "Decided"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Risk reviews"
        trouble="The risk reviews could not be loaded"
        empty={{ icon: ShieldQuestion, title: EMPTY[status] }}
        filtered={search !== ""}
        head={["Activity", "Counts as", "Listings", "Asked about", status === "decided" ? "Decided" : "First asked"]}
        row={(review) => ({
          key: review.id,
          cells: [
            <NameButton
              key="name"
              name={review.activity || review.category}
              note={review.category && review.activity && `in ${review.category}`}
              onOpen={() => setOpen(review)}
            />,
            <RiskLevel key="level" level={review.risk.rating} />,
            NUMBER.format(review.listings),
            times(review.seen),
            formatAgo(review.decidedAt ?? review.firstSeenAt),
          ],
        })}
      />
      {open && <RiskDialog review={open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

const times = (count: number) => (count === 1 ? "Once" : `${NUMBER.format(count)} times`);
