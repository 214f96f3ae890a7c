import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useProfile } from "@/lib/session/get-profile";
import { useStableWhileFocused } from "@/lib/use-stable-while-focused";
import type { SignedInUser } from "@/lib/session/session-context";
import { type BookingPayload, useCreateBooking } from "../api/create-booking";
import { useCreateSeries } from "../api/create-series";
import { deleteDraft, keyOfAttempt, readDraft, saveDraft, type BookingDraft } from "../lib/booking-draft";
import { joinWaitlistPath } from "../lib/book-page-url";
import { bookLabel, bookSeriesLabel } from "../lib/session-texts";
import { draftOfParty, partyOf } from "../lib/party";
import type { Hold } from "../lib/types";
import { useHasPassed } from "../lib/use-deadline";
import { useSeriesPlan } from "../lib/use-series-plan";
import { OFFER_ENDED } from "../lib/waitlist-texts";
import styles from "./book-page.module.css";
import { BookingFields } from "./booking-fields";
import { ChooseTime } from "./choose-time";
import { BookingError } from "./booking-error";
import { HoldTimer } from "./hold-timer";
import { PartyFields } from "./party-fields";
import { RepeatStep } from "./repeat-step";
import { VerifyEmailStep } from "./verify-email-step";
import { WaiverStep } from "./waiver-step";
import { formatTerms } from "@porchlight/shared/format/session-terms";
import { viewerZone } from "@porchlight/shared/format/session-times";
import { ApiError, fieldErrors } from "@porchlight/shared/client";

/** Shown when the time has run out, as the server says it. */
const HOLD_EXPIRED = "We could keep this time for 10 minutes only. Please choose it again.";
/** After these errors the hold or its waiver differs from what is shown. */
const RELOADING_CODES = new Set([
  "booking_changed",
  "hold_expired",
  "policy_changed",
  "waiver_required",
  "waiver_expired",
  "waiver_too_short",
  "not_found",
]);

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
  const bookSeries = useCreateSeries();
  const hasPassed = useHasPassed(deadline);
  const [draft, setDraft] = useState(() => readDraft(hold.guruLabel, hold.serviceId));
  const [nameError, setNameError] = useState<string>();
  const [missing, setMissing] = useState<ReadonlyMap<number, string>>(new Map());
  const [addressError, setAddressError] = useState<string>();
  const [mustVerify, setMustVerify] = useState(!user.emailVerified);
  const [wasVerified, setWasVerified] = useState(false);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const isExpired = hold.expiresAt === null || hasPassed;
  const ownName = useStableWhileFocused(profile.data?.displayName || user.displayName);
  const name = draft.name ?? ownName.shown;
  const party = draftOfParty(draft.people, hold.party);
  const people = hold.waiver.required ? partyOf(party, name, hold.waiver) : [];
  const plan = useSeriesPlan(hold, draft.repeat, people, gone);
  const needsWaiver = people.some(({ signer, isSigned }) => signer !== "link" && !isSigned);
  const isSeries = plan.starts.length > 0;
  const hint = submitHint();

  function change(part: Partial<BookingDraft>) {
    if (part.name !== undefined) setNameError(undefined);
    if (part.address !== undefined) setAddressError(undefined);
    if (part.repeat !== undefined) resetErrors();
    const changed = { ...draft, ...part };
    setDraft(changed);
    saveDraft(hold.guruLabel, hold.serviceId, changed);
  }

  function resetErrors() {
    book.reset();
    bookSeries.reset();
  }

  /** Say what is missing before the session can be booked. */
  function submitHint(): string {
    if (mustVerify) return "Please verify your email first.";
    if (needsWaiver) {
      const isOwn = people.some(({ signer, isSigned }) => signer === "self" && !isSigned);
      return isOwn ? "Please accept the waiver first." : "Please sign the waiver for each child first.";
    }
    if (plan.isPending) return "We're looking for the times of the other sessions.";
    return plan.error === null ? "" : "Please load the times of the other sessions first.";
  }

  function submit() {
    if (name.trim() === "") {
      setNameError("Enter your name");
      document.querySelector<HTMLElement>("input[name=name]")?.focus();
      return;
    }
    const unnamed = people.findIndex((person) => person.name === "");
    setMissing(new Map(people.flatMap((person, index) => (person.name === "" ? [[index, "Enter a name"]] : []))));
    if (unnamed !== -1) {
      document.querySelector<HTMLElement>(`input[name=participant-${unnamed}]`)?.focus();
      return;
    }
    if (hold.place === "person" && draft.address.trim() === "") {
      askForAddress("Enter the address where you'd like to meet.");
      return;
    }
    const booking: BookingPayload = {
      hold: hold.token,
      name: name.trim(),
      ...(hold.waiver.required
        ? {
            participants: people.map((person) => person.name),
            signers: people.map(({ signer, email }) => ({ signer, email })),
          }
        : { participants: draft.participants.map((one) => one.trim()).filter((one) => one !== "") }),
      note: draft.note.trim(),
      address: hold.place === "person" ? draft.address.trim() : "",
      policyDigest: hold.policyDigest,
      zone: viewerZone(),
    };
    const series = { ...booking, starts: plan.starts };
    const idempotencyKey = keyOfAttempt(JSON.stringify(isSeries ? series : booking));
    resetErrors();
    if (isSeries) bookSeries.mutate({ idempotencyKey, series }, { onSuccess, onError });
    else book.mutate({ idempotencyKey, booking }, { onSuccess, onError });
  }

  function askForAddress(problem: string) {
    setAddressError(problem);
    document.querySelector<HTMLElement>("textarea[name=address]")?.focus();
  }

  /** A series has the id of its first booking. */
  function onSuccess({ id }: { id: string }) {
    deleteDraft(hold.guruLabel, hold.serviceId);
    setSearch({ booking: id }, { replace: true });
  }

  function onError(reason: Error) {
    const code = reason instanceof ApiError ? reason.code : "";
    if (code === "email_unverified") setMustVerify(true);
    const { address } = fieldErrors(reason);
    if (address) askForAddress(address);
    if (RELOADING_CODES.has(code)) onReload();
    if (code === "series_partly_gone") {
      setGone(new Set([...gone, ...Object.keys(fieldErrors(reason))]));
      plan.refetch();
    }
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
      {isExpired ? (
        <Notice tone="warning">{hold.isOffer ? OFFER_ENDED : HOLD_EXPIRED}</Notice>
      ) : (
        <HoldTimer deadline={deadline} />
      )}
      {!isExpired && !hold.isOffer && (
        <RepeatStep hold={hold} repeat={draft.repeat} plan={plan} onChange={(repeat) => change({ repeat })} />
      )}
      <BookingFields
        draft={draft}
        name={name}
        nameHandlers={ownName.handlers}
        nameError={nameError}
        addressError={addressError}
        party={hold.party}
        guruName={hold.guruName}
        place={hold.place}
        people={
          hold.waiver.required ? (
            <PartyFields
              people={party}
              errors={missing}
              fields={fieldsOf(book.error ?? bookSeries.error)}
              onChange={(changed) => {
                setMissing(new Map());
                resetErrors();
                change({ people: changed });
              }}
            />
          ) : null
        }
        onChange={change}
      />
      <section aria-labelledby="terms" className={styles.terms}>
        <h2 id="terms">Terms</h2>
        <ul>
          {formatTerms(hold.policy).map((term) => (
            <li key={term}>{term}</li>
          ))}
        </ul>
        <p className={styles.soft}>
          Once it&apos;s booked, you and {hold.guruName} can email each other. You see each other&apos;s email address
          then.
        </p>
      </section>
      {isExpired && hold.isOffer ? (
        <p>
          <Link to={joinWaitlistPath(hold)}>Join the waitlist again</Link>
        </p>
      ) : isExpired ? (
        <ChooseTime wanted={hold} />
      ) : (
        <>
          <WaiverStep
            hold={hold}
            people={people}
            name={name}
            onAccepted={() => {
              resetErrors();
              onReload();
            }}
          />
          {mustVerify && (
            <VerifyEmailStep
              email={user.email}
              onVerified={() => {
                setMustVerify(false);
                setWasVerified(true);
                resetErrors();
              }}
            />
          )}
          {wasVerified && <Notice tone="success">Your email is verified. You can book now.</Notice>}
          <BookingError error={book.error ?? bookSeries.error} zone={hold.zone} />
          <div className={styles.submit}>
            {hint !== "" && (
              <p id="book-hint" className={styles.soft}>
                {hint}
              </p>
            )}
            <Button
              type="submit"
              size="lg"
              block
              loading={book.isPending || bookSeries.isPending}
              disabled={hint !== ""}
              aria-describedby={hint !== "" ? "book-hint" : undefined}
            >
              {isSeries ? bookSeriesLabel(hold, plan.starts.length + 1) : bookLabel(hold)}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

function fieldsOf(error: Error | null): Readonly<Record<string, string>> {
  return fieldErrors(error);
}
