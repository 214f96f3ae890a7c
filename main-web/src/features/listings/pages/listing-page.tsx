import { CalendarClock, Handshake, MapPin, SearchX, Video } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { ProfileLink } from "@/components/profile-link";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { FIRST, useFirstTexts, type FirstTexts } from "@/lib/first-texts";
import { useProfile } from "@/lib/session/get-profile";
import { AskLink } from "@/features/exchanges/contract";
import { ReportButton } from "@/features/reports/contract";
import { useRequestAction } from "@/lib/use-request-action";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { RiskBadge, RiskReasons } from "@/components/ui/risk-badge";
import { ButtonRow } from "@/components/ui/stack";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { TitleText } from "@/components/ui/title-text";
import { useListing, type PublicListing } from "../api/get-listing";
import styles from "../components/listings.module.css";
import { FirstPhoto, PhotoGallery } from "../components/photo-gallery";
import { daysLabel, FORMATS, termsLabel } from "../lib/labels";
import { ApiError } from "@porchlight/shared/client";
import { radiusMiles } from "@porchlight/shared/format/distance";

/** A listing. */
export function ListingPage() {
  const { id = "" } = useParams();
  const on = useFlag("skillListing");
  const listing = useListing(id, on);
  const texts = useFirstTexts();
  if (!on || (listing.error instanceof ApiError && listing.error.status === 404)) {
    return (
      <PageHead title="Listing not found" description="We couldn't find this listing.">
        <div className={`container ${styles.page}`}>
          <h1>Listing not found</h1>
          <EmptyState
            icon={SearchX}
            title="We couldn't find this listing"
            action={
              <Button asChild variant="secondary" size="sm">
                {on ? <Link to={paths.search}>Search instead</Link> : <Link to={paths.skills}>Browse skills</Link>}
              </Button>
            }
          >
            It may have been removed.
          </EmptyState>
        </div>
      </PageHead>
    );
  }
  if (listing.isError) {
    return (
      <PageHead title="Listing" description="A skill offered by a neighbor on Porchlight.">
        <div className={`container ${styles.page}`}>
          <h1>Listing</h1>
          <ErrorState
            title="We couldn't load this listing"
            message={listing.error.message}
            onRetry={() => void listing.refetch()}
            retrying={listing.isFetching}
          />
        </div>
      </PageHead>
    );
  }
  if (listing.isPending) return <Loading texts={texts} />;
  return <ListingDetails listing={listing.data} />;
}

/** The listing before its data, with what the prerendered page has of it. */
function Loading({ texts }: { texts: FirstTexts | null }) {
  if (!texts) {
    return (
      <div className={`container ${styles.page}`} aria-busy="true">
        <h1 className="visually-hidden">Listing</h1>
        <Skeleton width="60%" height="3rem" />
        <Skeleton height="12rem" radius="md" />
      </div>
    );
  }
  return (
    <div className={`container ${styles.page}`} aria-busy="true">
      <header className={styles.header}>
        <h1 {...FIRST.heading}>{texts.heading}</h1>
      </header>
      <div className={styles.columns}>
        <Card className={styles.section}>
          {texts.picture && <FirstPhoto {...texts.picture} />}
          <p className={styles.details} {...FIRST.lead}>
            {texts.lead}
          </p>
          <Skeleton height="8rem" radius="md" />
        </Card>
        <Skeleton height="8rem" radius="md" />
      </div>
    </div>
  );
}

function ListingDetails({ listing }: { listing: PublicListing }) {
  const askFor = useRequestAction();
  const profile = useProfile();
  const { teacher } = listing;
  const isOwn = profile.data?.handle === teacher.handle;
  const where = teacher.city ? ` in ${teacher.city}` : "";
  const summary = `${teacher.name} teaches ${listing.title}${where}. ${termsLabel(listing)}. ${listing.details}`.trim();
  const requestSession = () =>
    askFor(
      {
        action: "book-skill-session",
        category: listing.title,
        listing: listing.id,
        message: `Ask ${teacher.name} about ${listing.title}`,
      },
      `Please sign in to ask ${teacher.name} about ${listing.title}.`,
    );
  return (
    <PageHead title={`${listing.title}${where} with ${teacher.name}`} description={summary.slice(0, 155)}>
      <div className={`container ${styles.page}`}>
        <header className={styles.header}>
          <h1>
            <TitleText>{listing.title}</TitleText>
          </h1>
          {listing.level && <Badge tone="good">{listing.level}</Badge>}
          <RiskBadge risk={listing.risk} />
        </header>
        <div className={styles.columns}>
          <Card className={styles.section}>
            <PhotoGallery key={listing.id} listing={listing} />
            <p className={styles.details}>
              {listing.details || `${teacher.name} hasn't added a description yet. Just ask.`}
            </p>
            <dl className={styles.facts}>
              <div>
                <Handshake size={18} aria-hidden="true" />
                <dt className="visually-hidden">Terms</dt>
                <dd>{termsLabel(listing)}</dd>
              </div>
              <div>
                <Video size={18} aria-hidden="true" />
                <dt className="visually-hidden">Format</dt>
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
                    Within {radiusMiles(listing.radiusKm)} miles of {teacher.city}
                  </dd>
                </div>
              )}
            </dl>
            <section aria-label="Risk" className={styles.riskPart}>
              {listing.risk.rating !== "low" && <h2>{listing.risk.requiresWaiver ? "Risk level" : "Good to know"}</h2>}
              <RiskReasons risk={listing.risk} />
              {listing.risk.requiresWaiver && <p>You'll need to accept a liability waiver before taking part.</p>}
            </section>
            <div>
              <ButtonRow>
                {isOwn ? (
                  <Button asChild>
                    <Link to={paths.mySkills}>Edit this</Link>
                  </Button>
                ) : (
                  <>
                    <Button onClick={requestSession}>Request a session</Button>
                    <AskLink to={{ offer: listing.id }} skill={listing.title} name={teacher.name} size="md" />
                  </>
                )}
              </ButtonRow>
            </div>
          </Card>
          <Card as="section" className={styles.section}>
            <div className={styles.teacher}>
              <Avatar name={teacher.name} src={teacher.photoURL} size="lg" />
              <h2>
                <ProfileLink handle={teacher.handle}>{teacher.name}</ProfileLink>
              </h2>
            </div>
            {teacher.bio && <p className={styles.details}>{teacher.bio}</p>}
            {teacher.languages.length > 0 && <p className={styles.soft}>Speaks {teacher.languages.join(", ")}</p>}
          </Card>
        </div>
        <footer>
          <ReportButton
            subject={{ kind: "listing", name: listing.id }}
            title={`${listing.title} with ${teacher.name}`}
          />
        </footer>
      </div>
    </PageHead>
  );
}
