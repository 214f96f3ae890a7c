import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { afterwards } from "../../kit/afterwards";
import { Button } from "../../ui/button";
import { formatAgo, formatDay } from "../../ui/format-date";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { useChangeSuspension } from "./change-suspension";
import { Details, Facts } from "./details";
import styles from "./details.module.css";
import { personQuery } from "./get-person";
import { ReasonForm } from "./reason-form";
import { StatusBadge } from "./status-badge";
import type { PersonDetail, PersonRow } from "./types";

/** Everything about one neighbor, and what staff may do: suspend and restore. */
export function PersonDialog({ person, onClose }: { person: PersonRow; onClose: () => void }) {
  const query = useQuery(personQuery(person.id));
  return (
    <Details title={person.displayName || person.handle || "User"} query={query} onClose={onClose}>
      {(found) => <Person person={found} />}
    </Details>
  );
}

function Person({ person }: { person: PersonDetail }) {
  const [asking, setAsking] = useState(false);
  const change = useChangeSuspension(`users/${person.id}`);
  const suspended = person.status === "suspended";

  function restore() {
    afterwards(change.mutateAsync({ suspend: false }), () => toast.success("The account is active again."));
  }

  function suspend(reason: string) {
    afterwards(change.mutateAsync({ suspend: true, reason }), () => {
      setAsking(false);
      toast.success("The account is suspended.");
    });
  }

  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={person.status} />],
          ["Email", `${person.email}${person.emailVerified ? "" : " (not confirmed)"}`],
          ["Handle", person.handle && <Link to={paths.publicProfile.replace(":handle", person.handle)}>@{person.handle}</Link>],
          ["Location", person.location],
          ["Member since", formatDay(person.createdAt)],
          ["Profile", person.publicProfile ? "Public" : "Hidden"],
          ["Guru site", person.guru && <Link to={`${paths.adminSites}?search=${person.guru}`}>{person.guru}</Link>],
          ["Offers", person.skillsOffered.join(", ")],
          ["Wants to learn", person.skillsWanted.join(", ")],
          ["Open sign-ins", `${person.openSessions}${person.lastSeenAt ? `, last seen ${formatAgo(person.lastSeenAt)}` : ""}`],
          ["Reports about them", String(person.reports)],
          ["User id", person.id],
        ]}
      />
      {person.bio && <blockquote className={styles.quote}>{person.bio}</blockquote>}
      {suspended && (
        <Notice tone="lamp">
          Suspended {person.suspendedAt && formatAgo(person.suspendedAt)}
          {person.suspendedReason && `: ${person.suspendedReason}`}
        </Notice>
      )}
      {!asking && change.isError && <Notice tone="danger">{change.error.message}</Notice>}
      {asking ? (
        <ReasonForm
          act="Suspend this account"
          danger
          pending={change.isPending}
          failure={change.error?.message}
          onSubmit={suspend}
          onCancel={() => setAsking(false)}
        >
          <p>
            {person.guru
              ? `Every sign-in ends at once, and the site ${person.guru} goes down with its owner.`
              : "Every sign-in ends at once, and nobody can sign in to this account until it is restored."}
          </p>
        </ReasonForm>
      ) : (
        <div className={styles.actions}>
          {suspended ? (
            <Button loading={change.isPending} onClick={restore}>
              Restore this account
            </Button>
          ) : (
            <Button variant="danger" onClick={() => setAsking(true)}>
              Suspend…
            </Button>
          )}
        </div>
      )}
    </>
  );
}
