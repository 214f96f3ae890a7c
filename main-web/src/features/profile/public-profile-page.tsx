import { CalendarClock, Languages, MapPin, SearchX } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { useFlag } from "../../kit/flags";
import { ReportButton } from "../../kit/report/report-button";
import { Avatar } from "../../ui/avatar";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { formatDay } from "../../ui/format-date";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import { usePublicProfile, type PublicProfile } from "./get-public-profile";
import styles from "./profile.module.css";
import { ApiError } from "@porchlight/shared/client";

/** A neighbour as others may see them. */
export function PublicProfilePage() {
  const { handle = "" } = useParams();
  const on = useFlag("userProfiles");
  const profile = usePublicProfile(handle, on);
  const unknown = !on || (profile.error instanceof ApiError && profile.error.status === 404);

  if (unknown) return <Unknown />;
  if (profile.isError) {
    return (
      <Page title="Profile" description="A neighbor on Porchlight.">
        <div className={`container ${styles.page}`}>
          <h1 className={styles.title}>Profile</h1>
          <ErrorState
            title="This profile is out of reach"
            message={profile.error.message}
            onRetry={() => void profile.refetch()}
            retrying={profile.isFetching}
          />
        </div>
      </Page>
    );
  }
  if (profile.isPending) {
    return (
      <div className={`container ${styles.page}`} aria-busy="true">
        <h1 className="visually-hidden">Profile</h1>
        <Skeleton width="60%" height="3rem" />
        <Skeleton height="10rem" radius="md" />
      </div>
    );
  }
  return <Shown profile={profile.data} />;
}

function Unknown() {
  return (
    <Page title="No such neighbor" description="There is no public profile at this address.">
      <div className={`container ${styles.page}`}>
        <h1 className={styles.title}>No such neighbor</h1>
        <EmptyState
          icon={SearchX}
          title="There is no public profile at this address"
          action={
            <Button asChild variant="secondary" size="sm">
              <Link to={paths.skills}>Browse skills instead</Link>
            </Button>
          }
        >
          They may have chosen another handle, or keep their profile to themselves.
        </EmptyState>
      </div>
    </Page>
  );
}

function Shown({ profile }: { profile: PublicProfile }) {
  const since = formatDay(profile.memberSince);
  const { offered, wanted } = profile.skills;
  return (
    <Page title={profile.displayName} description={`${profile.displayName} on Porchlight.`}>
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
          </div>
        </header>
        <Card className={styles.section}>
          <p className={styles.bio}>{profile.bio || `${profile.displayName} has not written about themselves yet.`}</p>
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
        <footer>
          <ReportButton subject={{ kind: "profile", name: profile.handle }} title={`The profile of ${profile.displayName}`} />
        </footer>
      </div>
    </Page>
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
