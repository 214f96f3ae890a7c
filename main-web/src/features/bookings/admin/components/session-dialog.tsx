import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { onSettled } from "@/lib/on-settled";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { Details, Facts } from "@/components/ui/details";
import styles from "@/components/ui/details.module.css";
import { ReasonForm, StatusBadge } from "@/features/admin/contract";
import type { BookedSessionDetail, BookedSessionRow } from "../lib/types";
import { useCancelSession } from "../api/cancel-session";
import { sessionQuery } from "../api/get-session";
import { describeEvent } from "../lib/labels";
import { formatRelativeTime, formatUtcTimestamp } from "@porchlight/shared/format/dates";
import { formatMoney } from "@porchlight/shared/format/money";
import { formatSessionDay, formatSessionFor } from "@porchlight/shared/format/session-times";

const MAX_REASON_LENGTH = 500;

/** The details and the history of a session, with "Cancel for both". */
export function SessionDialog({ session, onClose }: { session: BookedSessionRow; onClose: () => void }) {
  const query = useQuery(sessionQuery(session.id));
  return (
    <Details title={`Session: ${session.serviceName}`} query={query} onClose={onClose}>
      {(data) => <Session session={data} />}
    </Details>
  );
}

function Session({ session }: { session: BookedSessionDetail }) {
  const [canceling, setCanceling] = useState(false);
  const cancel = useCancelSession(session.id);
  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={session.status} />],
          ["When", formatSessionFor(session, session.personZone, "for the neighbor")],
          [
            "Guru",
            <Link key="guru" to={`${paths.adminSites}?search=${encodeURIComponent(session.guru)}`}>
              {session.guruName}
            </Link>,
          ],
          [
            "Neighbor",
            session.handle ? (
              <Link key="person" to={`${paths.admin}?tab=users&search=${encodeURIComponent(session.handle)}`}>
                {`${session.personName || "A neighbor"} (@${session.handle})`}
              </Link>
            ) : (
              session.personName
            ),
          ],
          ["Spots", String(session.party)],
          ["Price", formatMoney(session.priceCents, session.currency)],
          ["Owed", session.owedCents > 0 && formatMoney(session.owedCents, session.currency)],
          ["Waiver valid until", session.waiverUntil && formatSessionDay(session.waiverUntil, session.zone)],
          ["Booked", formatRelativeTime(session.createdAt)],
          ["Site suspended", session.suspendedAt && formatRelativeTime(session.suspendedAt)],
        ]}
      />
      <History session={session} />
      {session.canCancel && !canceling && (
        <div className={styles.actions}>
          <Button variant="danger" onClick={() => setCanceling(true)}>
            Cancel for both…
          </Button>
        </div>
      )}
      {session.canCancel && canceling && (
        <ReasonForm
          submitLabel="Cancel for both"
          cancelLabel="Keep the session"
          maxLength={MAX_REASON_LENGTH}
          danger
          pending={cancel.isPending}
          error={cancel.error?.message}
          onSubmit={(reason) =>
            onSettled(cancel.mutateAsync(reason), () => toast.success("Canceled. The neighbor owes nothing."))
          }
          onCancel={() => setCanceling(false)}
        >
          <p>The guru and the neighbor both read your reason. The neighbor owes nothing.</p>
        </ReasonForm>
      )}
      {!session.canCancel && cancel.error && <Notice tone="danger">{cancel.error.message}</Notice>}
    </>
  );
}

function History({ session }: { session: BookedSessionDetail }) {
  return (
    <section>
      <h3 className={styles.heading}>History</h3>
      <ol className={styles.history}>
        {session.history.map((event, index) => (
          <li key={index}>
            <span>{describeEvent(event, session.zone)}</span>
            <span className={styles.note}>{formatUtcTimestamp(event.at)} UTC</span>
            {event.reason && <blockquote className={styles.quote}>{event.reason}</blockquote>}
          </li>
        ))}
      </ol>
    </section>
  );
}
