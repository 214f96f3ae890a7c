import { CalendarClock } from "lucide-react";
import { Link } from "react-router-dom";
import { ExchangeList } from "@/features/exchanges/contract";
import { GuruAvatar } from "@/components/guru-avatar";
import { Badge } from "@/components/ui/badge";
import { BlockLink } from "@/components/ui/block-link";
import { ListRow, ListRows } from "@/components/ui/list-row";
import { ErrorState } from "@/components/ui/state";
import { useWaitlist } from "../api/get-waitlist";
import { waitlistPath } from "../lib/book-page-url";
import type { WaitlistEntry } from "../lib/types";
import { offerText, positionText } from "../lib/waitlist-texts";
import { SessionList } from "./session-list";
import styles from "./sessions.module.css";
import { formatSession, formatViewerTime } from "@porchlight/shared/format/session-times";

/**
 * The tab of what the user waits for: spots in full sessions, and answers to requests. `hasMore`: also requests among
 * neighbors.
 */
export function WaitingTab({ hasMore }: { hasMore: boolean }) {
  const waitlist = useWaitlist();
  const entries = waitlist.data ?? [];
  return (
    <div className={styles.list}>
      {waitlist.isError && !waitlist.data && (
        <ErrorState
          title="We couldn't load your waitlists"
          message={waitlist.error.message}
          onRetry={() => void waitlist.refetch()}
          retrying={waitlist.isFetching}
        />
      )}
      <ExchangeList when="waiting" label="Requests among neighbors" />
      {entries.length > 0 && (
        <ListRows aria-label="Waitlists">
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </ListRows>
      )}
      <SessionList when="waiting" label="Requests" hidesEmpty={hasMore || waitlist.isPending || entries.length > 0} />
    </div>
  );
}

function EntryRow({ entry }: { entry: WaitlistEntry }) {
  const isOffered = entry.status === "offered";
  const viewerTime = formatViewerTime(entry.startsAt, entry.zone);
  const spots = entry.party > 1 && !isOffered ? ` You're waiting for ${entry.party} spots.` : "";
  return (
    <ListRow
      face={<GuruAvatar label={entry.guruLabel} name={entry.guruName} size="lg" />}
      heading={
        <h2>
          <BlockLink>
            <Link to={waitlistPath(entry.id)}>{entry.serviceName}</Link>
          </BlockLink>
        </h2>
      }
      badges={<Badge tone={isOffered ? "good" : "neutral"}>{isOffered ? "A spot is free" : "Waitlist"}</Badge>}
      facts={[
        {
          label: "Time",
          value: (
            <>
              <time dateTime={entry.startsAt}>{formatSession(entry.startsAt, entry.endsAt, entry.zone)}</time>
              {viewerTime !== "" && <span>{` (${viewerTime})`}</span>}
            </>
          ),
          icon: <CalendarClock size={15} aria-hidden="true" />,
        },
      ]}
    >
      <p>{`with ${entry.guruName}`}</p>
      <p>{`${isOffered ? offerText(entry) : positionText(entry.position ?? 1)}${spots}`}</p>
    </ListRow>
  );
}
