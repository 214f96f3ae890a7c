import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { afterwards } from "../../kit/afterwards";
import { Button } from "../../ui/button";
import { formatDay } from "../../ui/format-date";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { useChangeHiding } from "./change-hiding";
import { Details, Facts } from "./details";
import styles from "./details.module.css";
import { listingQuery } from "./get-listing";
import { ReasonForm } from "./reason-form";
import { StatusBadge } from "./status-badge";
import type { ListingDetail, ListingRow } from "./types";

const WORDS: Record<string, string> = {
  in_person: "In person",
  online: "Online",
  price: "For a price",
  swap: "In exchange",
  hours: "For hours",
  free: "For free",
};
const words = (names: string[]) => names.map((name) => WORDS[name] ?? name).join(", ");

/** Everything about one listing, and what staff may do: hide it and show it again. */
export function ListingDialog({ listing, onClose }: { listing: ListingRow; onClose: () => void }) {
  const query = useQuery(listingQuery(listing.id));
  return (
    <Details title={listing.title} query={query} onClose={onClose}>
      {(found) => <Listing listing={found} />}
    </Details>
  );
}

function Listing({ listing }: { listing: ListingDetail }) {
  const [asking, setAsking] = useState(false);
  const change = useChangeHiding(listing.id);
  const hidden = listing.status === "hidden";
  const price =
    listing.priceCents === null
      ? ""
      : new Intl.NumberFormat("en-US", { style: "currency", currency: listing.currency }).format(listing.priceCents / 100);

  function hide(reason: string) {
    afterwards(change.mutateAsync({ hide: true, reason }), () => {
      setAsking(false);
      toast.success("The listing is hidden.");
    });
  }

  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={listing.status} />],
          ["By", listing.ownerName],
          ["Their account", <StatusBadge key="owner" status={listing.ownerStatus} />],
          ["Level", listing.level],
          ["Where", words(listing.formats)],
          ["Terms", words(listing.terms)],
          ["Price an hour", price],
          ["Reports about it", String(listing.reports)],
          ["Since", formatDay(listing.createdAt)],
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
      {hidden && <Notice tone="lamp">Hidden by staff: {listing.hiddenReason}</Notice>}
      {!asking && change.isError && <Notice tone="danger">{change.error.message}</Notice>}
      {asking ? (
        <ReasonForm
          act="Hide this listing"
          danger
          pending={change.isPending}
          failure={change.error?.message}
          onSubmit={hide}
          onCancel={() => setAsking(false)}
        >
          <p>Nobody finds it any more, and offering the skill anew does not bring it back.</p>
        </ReasonForm>
      ) : (
        <div className={styles.actions}>
          {hidden ? (
            <Button
              loading={change.isPending}
              onClick={() => afterwards(change.mutateAsync({ hide: false }), () => toast.success("The listing is shown again."))}
            >
              Show this listing again
            </Button>
          ) : (
            <Button variant="danger" onClick={() => setAsking(true)}>
              Hide…
            </Button>
          )}
        </div>
      )}
    </>
  );
}
