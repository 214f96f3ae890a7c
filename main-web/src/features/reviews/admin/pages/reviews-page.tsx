import { Star } from "lucide-react";
import { useState } from "react";
import { useFlag } from "@/lib/feature-flags";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { PageHead } from "@/components/layout/page-head";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/state";
import styles from "@/components/ui/details.module.css";
import { ListFilters, ListView, NameButton } from "@/features/admin/contract";
import { useReviews, type StaffReview } from "../api/get-reviews";
import { ReviewDialog } from "../components/review-dialog";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

/** Published reviews of all gurus, for staff to take down what breaks the rules. */
export function ReviewsPage() {
  const isOn = useFlag("reviews");
  return (
    <PageHead title="Reviews" description="Reviews of sessions.">
      {isOn ? <List /> : <EmptyState icon={Star} title="Reviews will be available in a future release." />}
    </PageHead>
  );
}

function List() {
  const [guru, setGuru] = useSearchParamsText("guru");
  const [show, setShow] = useSearchParamsChoice("show", ["all", "removed"]);
  const [open, setOpen] = useState<StaffReview | null>(null);
  const list = useReviews({ guru, removed: show === "removed" });
  return (
    <>
      <p className={styles.lead}>Both sides of a session, once they are revealed. Only you can take one down.</p>
      <ListFilters
        search={{ label: "Guru's subdomain", value: guru, onChange: setGuru }}
        choices={[
          {
            label: "Show",
            value: show,
            onChange: setShow,
            options: [
              ["all", "All"],
              ["removed", "Removed"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Reviews"
        errorTitle="We couldn't load the reviews"
        empty={{ icon: Star, title: show === "removed" ? "Nothing has been removed." : "No reviews yet." }}
        filtered={guru !== ""}
        head={["Review", "Guru", "By", "Stars", "Published"]}
        row={(review) => ({
          key: review.id,
          cells: [
            <NameButton
              key="name"
              name={review.body || "Without words"}
              note={review.serviceName}
              onOpen={() => setOpen(review)}
            />,
            review.guru,
            review.side === "person" ? "Neighbor" : "Guru",
            review.removedWhy ? (
              <Badge key="removed" tone="warning">
                Removed
              </Badge>
            ) : (
              `${review.stars} of 5`
            ),
            formatRelativeTime(review.publishedAt),
          ],
        })}
      />
      {open && <ReviewDialog review={open} onClose={() => setOpen(null)} />}
    </>
  );
}
