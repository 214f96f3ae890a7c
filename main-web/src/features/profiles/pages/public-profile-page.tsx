import { CalendarClock, Languages, MapPin, SearchX } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { FIRST, useFirstTexts, type FirstTexts } from "@/lib/first-texts";
import { useProfile } from "@/lib/session/get-profile";
import { usePorchLights, LitBadge } from "@/features/porch-lights/contract";
import { AskLink } from "@/features/exchanges/contract";
import { BlockButton, MessageLink } from "@/features/messages/contract";
import { ReportButton } from "@/features/reports/contract";
import { AngelReviews } from "@/features/reviews/contract";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { usePublicProfile, type PublicProfile } from "../api/get-public-profile";
import styles from "../components/profile.module.css";
import { ApiError } from "@porchlight/shared/client";
import { formatDate } from "@porchlight/shared/format/dates";

/** A user's profile as others see it. */
export function PublicProfilePage() {
  const { handle = "" } = useParams();
  const on = useFlag("userProfiles");
  const profile = usePublicProfile(handle, on);
  const texts = useFirstTexts();
  const unknown = !on || (profile.error instanceof ApiError && profile.error.status === 404);

  if (unknown) return <Unknown />;
  if (profile.isError) {
    return (
      <PageHead title="Profile" description="A neighbor on Porchlight.">
        <div className={`container ${styles.page}`}>
          <h1 className={styles.title}>Profile</h1>
          <ErrorState
            title="We couldn't load this profile"
            message={profile.error.message}
            onRetry={() => void profile.refetch()}
            retrying={profile.isFetching}
          />
        </div>
      </PageHead>
    );
  }
  if (profile.isPending) return <Loading texts={texts} />;
  return <Shown profile={profile.data} />;
}

/** The profile before its data, with what the prerendered page has of it. */
function Loading({ texts }: { texts: FirstTexts | null }) {
  if (!texts) {
    return (
      <div className={`container ${styles.page}`} aria-busy="true">
        <h1 className="visually-hidden">Profile</h1>
        <Skeleton width="60%" height="3rem" />
        <Skeleton height="10rem" radius="md" />
      </div>
    );
  }
  return (
    <div className={`container ${styles.page}`} aria-busy="true">
      <header className={styles.person}>
        <span className={styles.face}>
          <Skeleton width="5rem" height="5rem" radius="full" />
        </span>
        <div className={styles.names}>
          <h1 className={styles.title} {...FIRST.heading}>
            {texts.heading}
          </h1>
          <Skeleton width="12rem" />
        </div>
      </header>
      <Card className={styles.section}>
        <p className={styles.bio} {...FIRST.lead}>
          {texts.lead}
        </p>
      </Card>
      <Skeleton height="10rem" radius="md" />
    </div>
  );
}

function Unknown() {
  return (
    <PageHead title="Profile not found" description="We couldn't find this profile.">
      <div className={`container ${styles.page}`}>
        <h1 className={styles.title}>Profile not found</h1>
        <EmptyState
          icon={SearchX}
          title="We couldn't find this profile"
          action={
            <Button asChild variant="secondary" size="sm">
              <Link to={paths.skills}>Browse skills instead</Link>
            </Button>
          }
        >
          This profile is private or the link has changed.
        </EmptyState>
      </div>
    </PageHead>
  );
}

function Shown({ profile }: { profile: PublicProfile }) {
  const since = formatDate(profile.memberSince);
  const { offered, wanted } = profile.skills;
  const isLit = (usePorchLights({ handles: [profile.handle] }).data?.length ?? 0) > 0;
  const isOwn = useProfile().data?.handle === profile.handle;
  return (
    <PageHead title={profile.displayName} description={`${profile.displayName} on Porchlight.`}>
      <div className={`container ${styles.page}`}>
        <header className={styles.person}>
          <span className={styles.face}>
            <Avatar name={profile.displayName} src={profile.photoURL} size="lg" />
          </span>
          <div className={styles.names}>
            <h1 className={styles.title}>{profile.displayName}</h1>
            <p className={styles.lead}>
              @{profile.handle}
              {since && ` · neighbor since ${since}`}
            </p>
            {isLit && <LitBadge />}
          </div>
          {!isOwn && (
            <MessageLink to={{ kind: "profile", id: profile.handle }} name={profile.displayName} variant="primary" />
          )}
          {!isOwn && offered.length > 0 && (
            <AskLink to={{ neighbor: profile.handle }} skill="" name={profile.displayName} />
          )}
        </header>
        <Card className={styles.section}>
          <p className={styles.bio}>{profile.bio || `${profile.displayName} hasn't added a bio yet.`}</p>
          {(profile.location || profile.languages.length > 0 || profile.availability) && (
            <dl className={styles.facts}>
              {profile.location && (
                <div>
                  <MapPin size={18} aria-hidden="true" />
                  <dt className="visually-hidden">Location</dt>
                  <dd>{profile.location}</dd>
                </div>
              )}
              {profile.languages.length > 0 && (
                <div>
                  <Languages size={18} aria-hidden="true" />
                  <dt className="visually-hidden">Languages</dt>
                  <dd>{profile.languages.join(", ")}</dd>
                </div>
              )}
              {profile.availability && (
                <div>
                  <CalendarClock size={18} aria-hidden="true" />
                  <dt className="visually-hidden">Availability</dt>
                  <dd>{profile.availability}</dd>
                </div>
              )}
            </dl>
          )}
        </Card>
        {offered.length + wanted.length > 0 && (
          <div className={styles.pair}>
            <Skills title="Can teach" skills={offered} />
            <Skills title="Would like to learn" skills={wanted} />
          </div>
        )}
        <AngelReviews handle={profile.handle} isOwn={isOwn} />
        <footer>
          <ReportButton
            subject={{ kind: "profile", name: profile.handle }}
            title={`${profile.displayName}'s profile`}
          />
          {!isOwn && <BlockButton handle={profile.handle} name={profile.displayName} />}
        </footer>
      </div>
    </PageHead>
  );
}

function Skills({ title, skills }: { title: string; skills: PublicProfile["skills"]["offered"] }) {
  if (skills.length === 0) return null;
  return (
    <Card as="section" className={styles.section}>
      <h2 className={styles.heading}>{title}</h2>
      <ul className={styles.skills}>
        {skills.map(({ name, level }) => (
          <li key={name}>
            <span>{name}</span>
            {level && <Badge>{level}</Badge>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
