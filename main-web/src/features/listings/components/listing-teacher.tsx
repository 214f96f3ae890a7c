import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { MessageLink } from "@/features/messages/contract";
import { Avatar } from "@/components/ui/avatar";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useListing } from "../api/get-listing";
import { termsLabel } from "../lib/labels";
import styles from "./listings.module.css";
import { ApiError } from "@porchlight/shared/client";

/** The teacher of a listing, with a button that asks them about it. */
export function ListingTeacher({ id }: { id: string }) {
  const listing = useListing(id, true);
  if (listing.isPending) {
    return (
      <div aria-busy="true">
        <Skeleton height="4rem" radius="md" />
      </div>
    );
  }
  if (listing.error instanceof ApiError && listing.error.status === 404) return <p>This listing was removed.</p>;
  if (listing.isError) {
    return (
      <ErrorState
        title="We couldn't load this listing"
        message={listing.error.message}
        onRetry={() => void listing.refetch()}
        retrying={listing.isFetching}
      />
    );
  }
  const { teacher, title } = listing.data;
  return (
    <div className={styles.asked}>
      <Avatar name={teacher.name} src={teacher.photoURL} />
      <div>
        <h3 className={styles.askedTitle}>
          <Link to={generatePath(paths.listing, { id })}>
            {title} with {teacher.name}
          </Link>
        </h3>
        <p className={styles.soft}>{[termsLabel(listing.data), teacher.city].filter(Boolean).join(" · ")}</p>
      </div>
      <MessageLink
        to={{ kind: "listing", id }}
        name={teacher.name}
        firstWords={`I'd like to learn ${title}.`}
        variant="primary"
      />
    </div>
  );
}
