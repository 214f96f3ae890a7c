import { useRef, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { useProfile } from "@/lib/session/get-profile";
import type { SignedInUser } from "@/lib/session/session-context";
import { type BookingPayload, useCreateBooking } from "../api/create-booking";
import { deleteDraft, readDraft, saveDraft, type BookingDraft } from "../lib/booking-draft";
import { bookLabel } from "../lib/session-texts";
import type { Hold } from "../lib/types";
import { useHasPassed } from "../lib/use-deadline";
import styles from "./book-page.module.css";
import { BookingFields } from "./booking-fields";
import { ChooseTime } from "./choose-time";
import { HoldTimer } from "./hold-timer";
import { VerifyEmailStep } from "./verify-email-step";
import { WaiverStep } from "./waiver-step";
import { formatTerms } from "@porchlight/shared/format/session-terms";
import { ApiError } from "@porchlight/shared/client";

/** Shown when the time has run out, as the server says it. */
const HOLD_EXPIRED = "We could keep this time for 10 minutes only. Please choose it again.";
/** After these errors the hold or its waiver differs from what is shown. */
const RELOADING_CODES = new Set(["hold_expired", "policy_changed", "waiver_required", "waiver_expired", "not_found"]);

type BookingFormProps = {
  hold: Hold;
  user: SignedInUser;
  /** When the hold ends, by this browser's clock. */
  deadline: number;
  onReload: () => void;
};

/** The form that books a hold. When the hold has expired, it keeps what was typed and offers a new time. */
export function BookingForm({ hold, user, deadline, onReload }: BookingFormProps) {
  const [, setSearch] = useSearchParams();
  const profile = useProfile();
  const book = useCreateBooking();
  const hasPassed = useHasPassed(deadline);
  const [draft, setDraft] = useState(() => readDraft(hold.guruLabel, hold.serviceId));
  const [nameError, setNameError] = useState<string>();
  const [mustVerify, setMustVerify] = useState(!user.emailVerified);
  const [wasVerified, setWasVerified] = useState(false);
  const attempt = useRef({ content: "", key: "" });
  const isExpired = hold.expiresAt === null || hasPassed;
  const name = draft.name ?? (profile.data?.displayName || user.displayName);
  const needsWaiver = hold.waiver.required && hold.waiver.validUntil === null;

  function change(part: Partial<BookingDraft>) {
    if (part.name !== undefined) setNameError(undefined);
    const changed = { ...draft, ...part };
    setDraft(changed);
    saveDraft(hold.guruLabel, hold.serviceId, changed);
  }

  function submit() {
    if (name.trim() === "") {
      setNameError("Enter your name");
      document.querySelector<HTMLElement>("input[name=name]")?.focus();
      return;
    }
    const booking: BookingPayload = {
      hold: hold.token,
      name: name.trim(),
      participants: draft.participants.map((one) => one.trim()).filter((one) => one !== ""),
      note: draft.note.trim(),
      policyDigest: hold.policyDigest,
    };
    // One key per content: pressing again after an error does not book twice.
    const content = JSON.stringify(booking);
    if (attempt.current.content !== content) attempt.current = { content, key: createIdempotencyKey() };
    book.mutate(
      { idempotencyKey: attempt.current.key, booking },
      {
        onSuccess: ({ id }) => {
          deleteDraft(hold.guruLabel, hold.serviceId);
          setSearch({ booking: id }, { replace: true });
        },
        onError: (reason) => {
          const code = reason instanceof ApiError ? reason.code : "";
          if (code === "email_unverified") setMustVerify(true);
          if (RELOADING_CODES.has(code)) onReload();
        },
      },
    );
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {isExpired ? <Notice tone="warning">{HOLD_EXPIRED}</Notice> : <HoldTimer deadline={deadline} />}
      <BookingFields
        draft={draft}
        name={name}
        nameError={nameError}
        party={hold.party}
        guruName={hold.guruName}
        place={hold.place}
        onChange={change}
      />
      <section aria-labelledby="terms" className={styles.terms}>
        <h2 id="terms">Terms</h2>
        <ul>
          {formatTerms(hold.policy).map((term) => (
            <li key={term}>{term}</li>
          ))}
        </ul>
      </section>
      {isExpired ? (
        <ChooseTime wanted={hold} />
      ) : (
        <>
          <WaiverStep hold={hold} name={name} onAccepted={onReload} />
          {mustVerify && (
            <VerifyEmailStep
              email={user.email}
              onVerified={() => {
                setMustVerify(false);
                setWasVerified(true);
                book.reset();
              }}
            />
          )}
          {wasVerified && <Notice tone="success">Your email is verified. You can book now.</Notice>}
          <BookingError error={book.error} />
          <div className={styles.submit}>
            {(mustVerify || needsWaiver) && (
              <p id="book-hint" className={styles.soft}>
                {mustVerify ? "Please verify your email first." : "Please accept the waiver first."}
              </p>
            )}
            <Button
              type="submit"
              size="lg"
              block
              loading={book.isPending}
              disabled={mustVerify || needsWaiver}
              aria-describedby={mustVerify || needsWaiver ? "book-hint" : undefined}
            >
              {bookLabel(hold)}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

function BookingError({ error }: { error: Error | null }) {
  if (error === null) return null;
  const code = error instanceof ApiError ? error.code : "";
  if (code === "email_unverified") {
    return <Notice tone="danger">Please verify your email address first. We sent you a link.</Notice>;
  }
  return (
    <Notice tone="danger">
      {error.message} {code === "already_booked" && <Link to={paths.sessions}>See my sessions</Link>}
    </Notice>
  );
}
