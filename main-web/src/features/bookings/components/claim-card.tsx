import { generatePath, Link, useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { LoginState } from "@/lib/login-redirect";
import { toast } from "@/lib/toast-store";
import { useSession, type SignedInUser } from "@/lib/session/session-context";
import { useClaim, useClaimBookings } from "../api/claim-bookings";
import styles from "./sessions.module.css";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

type ClaimCardProps = { link: string; guruName: string };

/** Offers to add the session of a customer's link to an account, with the others that the guru booked for them. */
export function ClaimCard({ link, guruName }: ClaimCardProps) {
  const session = useSession();
  if (session.status === "loading") return null;
  const state: LoginState = {
    from: generatePath(paths.booked, { link }),
    message: "Please sign in to add this session to your account.",
  };
  return (
    <Card as="section" aria-labelledby="claim" className={styles.terms}>
      <h2 id="claim" className={styles.name}>
        Add this session to your account
      </h2>
      <p>See all your sessions in one place, with reminders. {guruName} learns that it&apos;s in your account.</p>
      {session.status === "signed-in" ? (
        <Claim link={link} user={session.user} />
      ) : (
        <div className={styles.buttons}>
          <Button asChild>
            <Link to={paths.login} state={state}>
              Sign in
            </Link>
          </Button>
          <Button asChild variant="secondary">
            <Link to={paths.signup} state={state}>
              Create an account
            </Link>
          </Button>
        </div>
      )}
    </Card>
  );
}

/** What would be added, and the button that adds it. */
function Claim({ link, user }: { link: string; user: SignedInUser }) {
  const claim = useClaim(link);
  const add = useClaimBookings(link);
  const navigate = useNavigate();
  if (claim.isPending) {
    return (
      <div aria-busy="true">
        <Skeleton height="3rem" radius="md" />
      </div>
    );
  }
  if (!claim.data) return <LoadNotice what="what you can add" queries={[claim]} />;
  const { bookings, matches } = claim.data;
  const count = bookings.length;

  async function submit() {
    try {
      const { id } = await add.mutateAsync(true);
      toast.success(count === 1 ? "It's in your account now." : `${count} sessions are in your account now.`);
      void navigate(generatePath(paths.session, { id }), { replace: true });
    } catch {
      return; // the notice shows it
    }
  }

  return (
    <>
      {!matches && (
        <Notice tone="warning">
          This session was booked for another email address than {user.email}. Add it only if it&apos;s yours.
        </Notice>
      )}
      {count > 1 && (
        <ul className={styles.list} aria-label="Sessions to add">
          {bookings.map(({ id, serviceName, startsAt, zone }) => (
            <li key={id}>
              {serviceName}, {formatSessionStart(startsAt, zone)}
            </li>
          ))}
        </ul>
      )}
      {add.error && <Notice tone="danger">{add.error.message}</Notice>}
      <div className={styles.buttons}>
        <Button loading={add.isPending} onClick={() => void submit()}>
          {matches ? (count > 1 ? `Add ${count} sessions` : "Add to my account") : "It's mine, add it"}
        </Button>
      </div>
    </>
  );
}

/** Says that the session of a link is in an account now, and leads there. */
export function Claimed({ id }: { id: string }) {
  return (
    <>
      <h1 className={styles.title}>Your session</h1>
      <Card as="section" className={styles.terms} aria-label="Where it is">
        <p>This session is in a Porchlight account now. Sign in with that account to see, move or cancel it.</p>
        <div className={styles.buttons}>
          <Button asChild>
            <Link to={generatePath(paths.session, { id })}>Open my session</Link>
          </Button>
        </div>
      </Card>
    </>
  );
}
