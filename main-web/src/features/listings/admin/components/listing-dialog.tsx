import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { onSettled } from "@/lib/on-settled";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { Details, Facts } from "@/components/ui/details";
import styles from "@/components/ui/details.module.css";
import { ReasonForm, StatusBadge } from "@/features/admin/contract";
import { listingQuery } from "../api/get-listing";
import { useUpdateListingVisibility } from "../api/update-listing-visibility";
import type { ListingDetail, ListingRow } from "../lib/types";
import { formatDate } from "@porchlight/shared/format/dates";
import { formatMoney } from "@porchlight/shared/format/money";

const RISK_FLAG_LABELS: Record<string, string> = {
  in_person: "In person",
  online: "Online",
  price: "Paid",
  swap: "Skill swap",
  hours: "Time credits",
  free: "Free",
};
const labelsOf = (names: string[]) => names.map((name) => RISK_FLAG_LABELS[name] ?? name).join(", ");

/** The details of a listing, with the actions hide and show. */
export function ListingDialog({ listing, onClose }: { listing: ListingRow; onClose: () => void }) {
  const query = useQuery(listingQuery(listing.id));
  return (
    <Details title={listing.title} query={query} onClose={onClose}>
      {(data) => <Listing listing={data} />}
    </Details>
  );
}

function Listing({ listing }: { listing: ListingDetail }) {
  const [isReasonOpen, setIsReasonOpen] = useState(false);
  const change = useUpdateListingVisibility(listing.id);
  const hidden = listing.status === "hidden";
  const price = listing.priceCents === null ? "" : formatMoney(listing.priceCents, listing.currency);

  function hide(reason: string) {
    onSettled(change.mutateAsync({ hide: true, reason }), () => {
      setIsReasonOpen(false);
      toast.success("Listing hidden.");
    });
  }

  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={listing.status} />],
          ["By", listing.ownerName],
          ["Account status", <StatusBadge key="owner" status={listing.ownerStatus} />],
          ["Level", listing.level],
          ["Format", labelsOf(listing.formats)],
          ["Terms", labelsOf(listing.terms)],
          ["Hourly rate", price],
          ["Reports", String(listing.reports)],
          ["Since", formatDate(listing.createdAt)],
        ]}
      />
      {listing.details && <blockquote className={styles.quote}>{listing.details}</blockquote>}
      {listing.photos.length > 0 && (
        <ul className={styles.photos} aria-label="Photos">
          {listing.photos.map(({ path, alt }, at) => (
            <li key={path}>
              <img src={path} alt={alt || `Photo ${at + 1} of ${listing.photos.length}`} loading="lazy" />
            </li>
          ))}
        </ul>
      )}
      {hidden && <Notice tone="warning">Hidden by staff: {listing.hiddenReason}</Notice>}
      {!isReasonOpen && change.isError && <Notice tone="danger">{change.error.message}</Notice>}
      {isReasonOpen ? (
        <ReasonForm
          submitLabel="Hide this listing"
          danger
          pending={change.isPending}
          error={change.error?.message}
          onSubmit={hide}
          onCancel={() => setIsReasonOpen(false)}
        >
          <p>It's hidden everywhere, even if re-added.</p>
        </ReasonForm>
      ) : (
        <div className={styles.actions}>
          {hidden ? (
            <Button
              loading={change.isPending}
              onClick={() =>
                onSettled(change.mutateAsync({ hide: false }), () => toast.success("Listing is visible again."))
              }
            >
              Unhide this listing
            </Button>
          ) : (
            <Button variant="danger" onClick={() => setIsReasonOpen(true)}>
              Hide…
            </Button>
          )}
        </div>
      )}
    </>
  );
}
