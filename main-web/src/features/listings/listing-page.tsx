import { CalendarClock, Handshake, MapPin, SearchX, Video } from "lucide-react";
import { generatePath, Link, useParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { useFlag } from "../../kit/flags";
import { ReportButton } from "../../kit/report/report-button";
import { useAskFor } from "../../kit/use-ask-for";
import { Avatar } from "../../ui/avatar";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { RiskMark, RiskReasons } from "../../ui/risk-mark";
import { EmptyState, ErrorState } from "../../ui/state";
import { useListing, type PublicListing } from "./get-listing";
import styles from "./listings.module.css";
import { PhotoGallery } from "./photo-gallery";
import { daysLabel, FORMATS, termsLabel } from "./words";
import { ApiError } from "@porchlight/shared/client";

/** A skill somebody offers. */
export function ListingPage() {
  const { id = "" } = useParams();
  const on = useFlag("skillListing");
  const listing = useListing(id, on);
  if (!on || (listing.error instanceof ApiError && listing.error.status === 404)) {
    return (
      <Page title="No such listing" description="There is no listing at this address.">
        <div className={`container ${styles.page}`}>
          <h1>No such listing</h1>
          <EmptyState
            icon={SearchX}
            title="There is no listing at this address"
            action={
              <Button asChild variant="secondary" size="sm">
                <Link to={paths.search}>Search instead</Link>
              </Button>
            }
          >
            It may have been taken down.
          </EmptyState>
        </div>
      </Page>
    );
  }
  if (listing.isError) {
    return (
      <Page title="Listing" description="A skill a neighbor offers on Porchlight.">
        <div className={`container ${styles.page}`}>
          <h1>Listing</h1>
          <ErrorState
            title="This listing is out of reach"
            message={listing.error.message}
            onRetry={() => void listing.refetch()}
            retrying={listing.isFetching}
          />
        </div>
      </Page>
    );
  }
  if (listing.isPending) {
    return (
      <div className={`container ${styles.page}`} aria-busy="true">
        <h1 className="visually-hidden">Listing</h1>
        <Skeleton width="60%" height="3rem" />
        <Skeleton height="12rem" radius="md" />
      </div>
    );
  }
  return <Shown listing={listing.data} />;
}

function Shown({ listing }: { listing: PublicListing }) {
  const askFor = useAskFor();
  const { teacher } = listing;
  const where = teacher.city ? ` in ${teacher.city}` : "";
  const summary = `${teacher.name} teaches ${listing.title}${where}. ${termsLabel(listing)}. ${listing.details}`.trim();
  const ask = () =>
    askFor({
      action: "book-skill-session",
      category: listing.title,
      message: `Ask ${teacher.name} about ${listing.title}`,
      signIn: `Please sign in to ask ${teacher.name} about ${listing.title}.`,
    });
  return (
    <Page title={`${listing.title}${where} with ${teacher.name}`} description={summary.slice(0, 155)}>
      <div className={`container ${styles.page}`}>
        <header className={styles.header}>
          <h1>{listing.title}</h1>
          {listing.level && <Badge tone="green">{listing.level}</Badge>}
          <RiskMark risk={listing.risk} />
        </header>
        <div className={styles.columns}>
          <Card className={styles.section}>
            <PhotoGallery key={listing.id} listing={listing} />
            <p className={styles.details}>{listing.details || `${teacher.name} has not written more about it yet. Just ask.`}</p>
            <dl className={styles.facts}>
              <div>
                <Handshake size={18} aria-hidden="true" />
                <dt className="visually-hidden">Terms</dt>
                <dd>{termsLabel(listing)}</dd>
              </div>
              <div>
                <Video size={18} aria-hidden="true" />
                <dt className="visually-hidden">How</dt>
                <dd>{listing.formats.map((format) => FORMATS[format]).join(" or ")}</dd>
              </div>
              <div>
                <CalendarClock size={18} aria-hidden="true" />
                <dt className="visually-hidden">Days</dt>
                <dd>{daysLabel(listing.days)}</dd>
              </div>
              {teacher.city && (
                <div>
                  <MapPin size={18} aria-hidden="true" />
                  <dt className="visually-hidden">Where</dt>
                  <dd>
                    {teacher.city}, up to {Math.max(1, Math.round(listing.radiusKm / 1.609))} miles around
                  </dd>
                </div>
              )}
            </dl>
            <section aria-label="Risk" className={styles.riskPart}>
              {listing.risk.rating !== "low" && <h2>How risky it is</h2>}
              <RiskReasons risk={listing.risk} />
              {listing.risk.requiresWaiver && <p>A liability waiver is required before you take part.</p>}
            </section>
            <div>
              <Button onClick={ask}>Ask for a session</Button>
            </div>
          </Card>
          <Card as="section" className={styles.section}>
            <div className={styles.teacher}>
              <Avatar name={teacher.name} src={teacher.photoURL} size="lg" />
              <h2>
                <Link to={generatePath(paths.publicProfile, { handle: teacher.handle })}>{teacher.name}</Link>
              </h2>
            </div>
            {teacher.bio && <p className={styles.details}>{teacher.bio}</p>}
            {teacher.languages.length > 0 && <p className={styles.soft}>Speaks {teacher.languages.join(", ")}</p>}
          </Card>
        </div>
        <footer>
          <ReportButton subject={{ kind: "listing", name: listing.id }} title={`${listing.title} with ${teacher.name}`} />
        </footer>
      </div>
    </Page>
  );
}
