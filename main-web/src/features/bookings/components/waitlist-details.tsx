import { useState } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { TitleText } from "@/components/ui/title-text";
import type { WaitlistSession } from "../lib/types";
import { useHasPassed } from "../lib/use-deadline";
import { OFFER_ENDED } from "../lib/waitlist-texts";
import styles from "./book-page.module.css";
import { JoinWaitlist } from "./join-waitlist";
import { SessionSummary } from "./session-summary";
import { WaitlistPlace } from "./waitlist-place";

type WaitlistDetailsProps = {
  session: WaitlistSession;
  /** How many people the user wants to come with, unless they wait already. */
  party: number;
  user: { email: string; emailVerified: boolean };
  /** Why the session could not be loaded again, or "". */
  error: string;
};

/** A session with the user's place on its waitlist, or the form to join it. */
export function WaitlistDetails({ session, party: wanted, user, error }: WaitlistDetailsProps) {
  const [chosen, setChosen] = useState(wanted);
  const party = Math.min(Math.max(Number.isInteger(chosen) ? chosen : 1, 1), session.partyMax);
  // The server settles an offer within a minute after its end.
  const hasPassed = useHasPassed(session.entry?.offeredUntil ? Date.parse(session.entry.offeredUntil) : null);
  const entry = hasPassed ? null : session.entry;
  const people = entry?.party ?? party;
  const isFull = session.seats < people && session.bookingId === null;
  return (
    <>
      <header className={styles.header}>
        <h1>
          <TitleText>{session.serviceName}</TitleText>
        </h1>
        <p className={styles.lead}>
          with {session.guruName} {isFull && entry === null && <Badge>Full</Badge>}
        </p>
        <SessionSummary session={{ ...session, party: people, priceCents: session.priceCents * people }} />
      </header>
      {error !== "" && <Notice tone="danger">{error}</Notice>}
      {(session.offerEnded || hasPassed) && <Notice tone="warning">{OFFER_ENDED}</Notice>}
      {session.bookingId !== null ? (
        <>
          <Notice tone="success">You have a spot in this session.</Notice>
          <p>
            <Button asChild variant="secondary">
              <Link to={generatePath(paths.session, { id: session.bookingId })}>View your session</Link>
            </Button>
          </p>
        </>
      ) : entry !== null ? (
        <WaitlistPlace entry={entry} />
      ) : (
        <JoinWaitlist session={session} party={party} user={user} onParty={setChosen} />
      )}
    </>
  );
}
