import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { SignedInUser } from "@/lib/session/session-context";
import { joinWaitlistPath } from "../lib/book-page-url";
import { bookLabel, bookSeriesLabel } from "../lib/session-texts";
import type { Hold } from "../lib/types";
import { useBookingForm, type BookingFormState } from "../lib/use-booking-form";
import { useHasPassed } from "../lib/use-deadline";
import { OFFER_ENDED } from "../lib/waitlist-texts";
import styles from "./book-page.module.css";
import { BookingFields } from "./booking-fields";
import { BookingTerms } from "./booking-terms";
import { ChooseTime } from "./choose-time";
import { BookingError } from "./booking-error";
import { PackageStep } from "./package-step";
import { PaymentStep } from "./payment-step";
import { RepeatStep } from "./repeat-step";
import { VerifyEmailStep } from "./verify-email-step";
import { WaiverStep } from "./waiver-step";

/** Shown when the time has run out, as the server says it. */
const HOLD_EXPIRED = "Your 10-minute hold has ended. Pick the time again.";

type BookingFormProps = {
  hold: Hold;
  user: SignedInUser;
  /** When the hold ends, by this browser's clock; null once it has ended. */
  deadline: number | null;
  onReload: () => void;
};

/** The form that books a hold. When the hold has expired, it keeps what was typed and offers a new time. */
export function BookingForm({ hold, user, deadline, onReload }: BookingFormProps) {
  const form = useBookingForm({ hold, user, onReload });
  const hasPassed = useHasPassed(deadline);
  const isExpired = deadline === null || hasPassed;
  const { draft, people, plan, packages, request, verification } = form;
  const toPay = hold.paysByCard ? plan.starts.length + 1 - packages.used : 0; // sessions
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      {isExpired && <Notice tone="warning">{hold.isOffer ? OFFER_ENDED : HOLD_EXPIRED}</Notice>}
      {!isExpired && !hold.isOffer && (
        <RepeatStep hold={hold} repeat={draft.repeat} plan={plan} onChange={(repeat) => form.change({ repeat })} />
      )}
      {!isExpired && <PackageStep hold={hold} form={form} />}
      <BookingFields hold={hold} form={form} />
      <BookingTerms hold={hold} usesPackage={packages.used === plan.starts.length + 1} />
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
            name={form.name}
            onAccepted={() => {
              request.reset();
              onReload();
            }}
          />
          {verification.isNeeded && <VerifyEmailStep email={user.email} onVerified={verification.confirm} />}
          {verification.isDone && <Notice tone="success">Your email is verified. You can book now.</Notice>}
          {toPay > 0 && <PaymentStep hold={hold} sessions={toPay} />}
          <BookingError error={request.error} zone={hold.zone} />
          <BookButton hold={hold} form={form} />
        </>
      )}
    </form>
  );
}

/** Books the session, or says what is missing. */
function BookButton({ hold, form }: { hold: Hold; form: BookingFormState }) {
  const { hint, plan, packages } = form;
  const count = plan.starts.length + 1;
  // What a package covers costs nothing more.
  const paid = packages.used === count ? { ...hold, priceCents: 0 } : hold;
  return (
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
        loading={form.request.isPending}
        disabled={hint !== ""}
        aria-describedby={hint !== "" ? "book-hint" : undefined}
      >
        {count > 1 ? bookSeriesLabel(paid, count, packages.used) : bookLabel(paid)}
      </Button>
    </div>
  );
}
