import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ProfileLink } from "@/components/profile-link";
import { paths } from "@/config/paths";
import { onSettled } from "@/lib/on-settled";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useUpdateSuspension, ReasonForm, StatusBadge } from "@/features/admin/contract";
import { Details, Facts } from "@/components/ui/details";
import styles from "@/components/ui/details.module.css";
import { userQuery } from "../api/get-user";
import type { UserDetail, UserRow } from "../lib/types";
import { formatDate, formatRelativeTime } from "@porchlight/shared/format/dates";

/** The details of a user, with the actions suspend and restore. */
export function UserDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const query = useQuery(userQuery(user.id));
  return (
    <Details title={user.displayName || user.handle || "User"} query={query} onClose={onClose}>
      {(data) => <User user={data} />}
    </Details>
  );
}

function User({ user }: { user: UserDetail }) {
  const [isReasonOpen, setIsReasonOpen] = useState(false);
  const change = useUpdateSuspension({ user: user.id });
  const suspended = user.status === "suspended";

  function restore() {
    onSettled(change.mutateAsync({ suspend: false }), () => toast.success("Account restored."));
  }

  function suspend(reason: string) {
    onSettled(change.mutateAsync({ suspend: true, reason }), () => {
      setIsReasonOpen(false);
      toast.success("Account suspended.");
    });
  }

  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={user.status} />],
          ["Email", `${user.email}${user.emailVerified ? "" : " (not verified)"}`],
          ["Handle", user.handle && <ProfileLink handle={user.handle}>@{user.handle}</ProfileLink>],
          ["Location", user.location],
          ["Member since", formatDate(user.createdAt)],
          ["Profile", user.publicProfile ? "Public" : "Hidden"],
          ["Guru site", user.guru && <Link to={`${paths.adminSites}?search=${user.guru}`}>{user.guru}</Link>],
          ["Offers", user.skillsOffered.join(", ")],
          ["Wants to learn", user.skillsWanted.join(", ")],
          [
            "Active sessions",
            `${user.openSessions}${user.lastSeenAt ? `, last seen ${formatRelativeTime(user.lastSeenAt)}` : ""}`,
          ],
          ["Reports", String(user.reports)],
          ["User id", user.id],
        ]}
      />
      {user.bio && <blockquote className={styles.quote}>{user.bio}</blockquote>}
      {suspended && (
        <Notice tone="warning">
          Suspended {user.suspendedAt && formatRelativeTime(user.suspendedAt)}
          {user.suspendedReason && `: ${user.suspendedReason}`}
        </Notice>
      )}
      {!isReasonOpen && change.isError && <Notice tone="danger">{change.error.message}</Notice>}
      {isReasonOpen ? (
        <ReasonForm
          submitLabel="Suspend this account"
          danger
          pending={change.isPending}
          error={change.error?.message}
          onSubmit={suspend}
          onCancel={() => setIsReasonOpen(false)}
        >
          <p>
            {user.guru
              ? `Signs the user out everywhere and takes the site ${user.guru} offline.`
              : "Signs the user out everywhere. They can't sign in until the account is restored."}
          </p>
        </ReasonForm>
      ) : (
        <div className={styles.actions}>
          {suspended ? (
            <Button loading={change.isPending} onClick={restore}>
              Restore this account
            </Button>
          ) : (
            <Button variant="danger" onClick={() => setIsReasonOpen(true)}>
              Suspend…
            </Button>
          )}
        </div>
      )}
    </>
  );
}
