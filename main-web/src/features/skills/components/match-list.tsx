import { Handshake, Sparkles } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { ProfileLink } from "@/components/profile-link";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { AskLink } from "@/features/exchanges/contract";
import { MessageLink } from "@/features/messages/contract";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState } from "@/components/ui/state";
import { PLAN_NAMES } from "@/lib/plan-names";
import styles from "./match-list.module.css";
import { DETAILS_SHOWN, detailLabel, MATCHES_ADDRESS } from "../lib/labels";
import type { Match } from "../api/get-matches";

const SIGN_IN = "Sign in to access AI-powered skill matching";

/** The coaching tab for signed-out users (SPEC 2.8). */
export function MatchesSignedOut() {
  const location = useLocation();
  return (
    <EmptyState
      icon={Sparkles}
      title={SIGN_IN}
      action={
        <Button asChild>
          <Link to={paths.login} state={{ from: location.pathname + location.search, message: SIGN_IN }}>
            Sign In
          </Link>
        </Button>
      }
    >
      Add what you can teach and what you want to learn, and see who you match with and why.
    </EmptyState>
  );
}

/** The matches of the user; `matches` is null while loading. */
export function MatchList({ matches, level = "h2" }: { matches: readonly Match[] | null; level?: "h2" | "h3" }) {
  const canListSkills = useFlag("skillListing");
  if (matches === null) {
    return (
      <div className={styles.grid}>
        <p className="visually-hidden" role="status">
          Looking for matches...
        </p>
        {[1, 2, 3].map((n) => (
          <Skeleton key={n} height="9rem" radius="md" />
        ))}
      </div>
    );
  }
  if (matches.length === 0) {
    return (
      <EmptyState
        icon={Handshake}
        title="No matches yet"
        action={
          <Button asChild size="sm">
            <Link to={canListSkills ? paths.mySkills : paths.profile}>Add your skills</Link>
          </Button>
        }
      >
        Add what you can teach and what you want to learn to see your matches.
      </EmptyState>
    );
  }
  return (
    <ul className={styles.grid}>
      {matches.map((match, index) => (
        <MatchCard key={index} match={match} level={level} />
      ))}
    </ul>
  );
}

/** The number of matches that a plan would show, with the way there and back to this tab. */
export function MoreWithPlan({ count }: { count: number }) {
  if (count === 0) return null;
  const offer = new URLSearchParams({ returnTo: MATCHES_ADDRESS });
  return (
    <p className={styles.more}>
      You see everyone who fits both ways.{" "}
      <Link to={`${paths.pricing}?${offer.toString()}`}>
        See {count} more {count === 1 ? "match" : "matches"} with {PLAN_NAMES["skill-sharer"]}, $9 a month
      </Link>
    </p>
  );
}

function MatchCard({ match, level: Heading }: { match: Match; level: "h2" | "h3" }) {
  const name = match.user?.name?.trim() || "Anonymous User";
  const teaches = match.matchDetails.some(({ type }) => type === "direct_match");
  const reasons = match.matchDetails.slice(0, DETAILS_SHOWN).map(detailLabel);
  return (
    <Card as="li" className={styles.card}>
      <header className={styles.header}>
        <Avatar name={name} src={match.user?.photoURL ?? ""} size="lg" />
        <div className={styles.who}>
          <Heading className={styles.name}>
            {match.user?.handle ? <ProfileLink handle={match.user.handle}>{name}</ProfileLink> : name}
          </Heading>
          <p className={styles.score}>
            {Math.round(match.matchScore)}% match
            {typeof match.miles === "number" && <span className={styles.miles}> · about {match.miles} mi away</span>}
          </p>
        </div>
      </header>
      <ul className={styles.reasons}>{reasons.map((reason) => reason && <li key={reason}>{reason}</li>)}</ul>
      {match.user?.handle && (
        <div className={styles.ask}>
          <MessageLink to={{ kind: "match", id: match.user.handle }} name={name} />
          {teaches && <AskLink to={{ neighbor: match.user.handle }} skill="" name={name} />}
        </div>
      )}
    </Card>
  );
}
