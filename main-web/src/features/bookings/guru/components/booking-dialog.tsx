import { useFlag } from "@/lib/feature-flags";
import { MessageLink } from "@/features/messages/contract";
import { AnswerList } from "@/components/questions/answer-list";
import { Badge } from "@/components/ui/badge";
import { Dialog } from "@/components/ui/dialog";
import { Hint } from "@/components/ui/hint";
import { SectionTitle } from "@/components/ui/section-card";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { NeighborReviews } from "@/features/reviews/contract";
import { personName } from "@/lib/person-name";
import { atSessionText, paidText, shareText, tipText } from "../lib/payment-text";
import type { GuruBookingDetails } from "../lib/types";
import { useBooking } from "../api/get-booking";
import { levelText, placeText, STATUS_LABELS, STATUS_TONES, waiverText } from "../lib/booking-status";
import { BookingActions } from "./booking-actions";
import { ProposalState } from "./proposal-state";
import styles from "./calendar.module.css";
import { PaymentSection } from "../refunds/payment-section";
import { PersonPackages } from "../packages/person-packages";
import { Participants } from "./participants";
import { EmergencyContact } from "./emergency-contact";
import { formatSessionFor, formatSessionStart } from "@porchlight/shared/format/session-times";
import { formatMoney } from "@porchlight/shared/format/money";
import { formatList } from "@porchlight/shared/format/numbers";

/** One booking: who comes, when and where, the waiver, and what the guru can do. */
export function BookingDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const booking = useBooking(id);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={booking.data ? personName(booking.data) : "Booking"}
      width={520}
      fullScreenOnPhones
    >
      {booking.isPending && (
        <div aria-busy="true">
          <Skeleton height="12rem" radius="md" />
        </div>
      )}
      {booking.isError && !booking.data && (
        <ErrorState
          title="We couldn't load this booking"
          message={booking.error.message}
          onRetry={() => void booking.refetch()}
          retrying={booking.isFetching}
        />
      )}
      {booking.data && <Details booking={booking.data} />}
    </Dialog>
  );
}

// After the session, the address of a customer is deleted.
function customerEmailText(booking: GuruBookingDetails): string {
  if (!booking.isCustomer) return "";
  return booking.customerEmail || (booking.status === "confirmed" ? "None: tell them about changes yourself." : "");
}

function checkedInText({ checkedInAt, checkedInBy, zone }: GuruBookingDetails): string {
  return checkedInAt === null ? "" : `${formatSessionStart(checkedInAt, zone)}, ${checkedInBy}`;
}

/** Say that a booking uses a package; "" for one that does not. */
function packageText({ package: used }: GuruBookingDetails): string {
  return used && used.sessions > 0 ? `Uses the package ${used.name}` : "";
}

/** Say whose account claimed a booking that the guru made for a customer; "" for others. */
function claimText({ events }: GuruBookingDetails): string {
  const claimed = events.find(({ event }) => event === "claimed");
  return claimed ? `${claimed.name || "A neighbor"} added it to their account` : "";
}

/** What the person answered to the guru's questions, and when they changed it. */
function Answers({ booking }: { booking: GuruBookingDetails }) {
  if (booking.answers.length === 0) return null;
  const changed = booking.events.filter(({ event }) => event === "answers_changed").at(-1);
  return (
    <section aria-labelledby="booking-answers">
      <SectionTitle id="booking-answers">Answers to your questions</SectionTitle>
      {changed && <Hint>Changed on {formatSessionStart(changed.at, booking.zone)}.</Hint>}
      <AnswerList answers={booking.answers} />
    </section>
  );
}

function Details({ booking }: { booking: GuruBookingDetails }) {
  // Customers without an account have no messages, and a deleted account has none any more.
  const hasMessages = useFlag("messaging") && !booking.isCustomer && booking.personName !== "";
  const facts = [
    ["Service", booking.serviceName],
    ["When", formatSessionFor(booking, booking.personZone, `for ${booking.personName || "your neighbor"}`)],
    ["Answer by", booking.canAnswer && booking.expiresAt ? formatSessionStart(booking.expiresAt, booking.zone) : ""],
    ["Guests", formatList(booking.participants) || String(booking.party)],
    ["Note", booking.note],
    ["Place", placeText(booking)],
    ["You need there", booking.place === "person" ? booking.placeText : ""],
    ["Price", packageText(booking) || formatMoney(booking.priceCents, booking.currency)],
    ["Paid by card", paidText(booking)],
    ["Paid at the session", atSessionText(booking)],
    ["You get", shareText(booking)],
    ["Tip", tipText(booking)],
    ["Account", claimText(booking)],
    ["Risk", levelText(booking)],
    ["Waiver", waiverText(booking)],
    ["Booked by", booking.isCustomer ? "You, for a customer" : ""],
    ["Email", customerEmailText(booking)],
    [
      "Write to them",
      booking.status === "confirmed" && !booking.isCustomer && !hasMessages
        ? "Reply to the email about this booking."
        : "",
    ],
    ["Checked in", checkedInText(booking)],
    ["Reason", booking.reason],
    [
      "Owed",
      booking.owedCents > 0 && booking.payment?.mode !== "full" ? formatMoney(booking.owedCents, booking.currency) : "",
    ],
  ].filter(([, value]) => value !== "");
  return (
    <Stack>
      <p>
        <Badge tone={STATUS_TONES[booking.status]}>{STATUS_LABELS[booking.status]}</Badge>
      </p>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Answers booking={booking} />
      <PaymentSection booking={booking} />
      {hasMessages && (
        <div>
          <MessageLink to={{ kind: "booking", id: booking.id }} name={booking.personName} side="guru" />
        </div>
      )}
      {booking.proposal && <ProposalState booking={booking} proposal={booking.proposal} />}
      {(booking.status === "requested" || booking.status === "confirmed") && !booking.isCustomer && (
        <NeighborReviews bookingId={booking.id} name={personName(booking)} />
      )}
      <Participants booking={booking} />
      <EmergencyContact booking={booking} />
      {booking.personName !== "" && <PersonPackages booking={booking} />}
      <BookingActions booking={booking} />
    </Stack>
  );
}
