import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Field, Input } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { RadioGroup } from "@/components/ui/radio-group";
import { SectionCard } from "@/components/ui/section-card";
import { FeeLine, missingForCards, useCardPayments, type CardPayments, type Missing } from "@/features/money/contract";
import { depositPercentOf, type BookingErrors, type TypedBooking } from "../lib/booking-settings";
import type { Service, ServiceBooking } from "../lib/types";
import styles from "./service-booking.module.css";
import { type CardTerms, MIN_CARD_CENTS, shareCents, wayToPay } from "@porchlight/shared/format/card-terms";
import { formatCents } from "@porchlight/shared/format/money";

type PaymentFieldsProps = {
  service: Service;
  saved: ServiceBooking["payment"];
  typed: TypedBooking;
  standardTerms: ServiceBooking["standardTerms"];
  errors: BookingErrors;
  onChange: (part: Partial<TypedBooking>) => void;
};

/** How people pay a service. Cards are off while something is missing, unless the service takes them already. */
export function PaymentFields({ service, saved, typed, standardTerms, errors, onChange }: PaymentFieldsProps) {
  const cards = useCardPayments();
  const missing = cards.data ? missingFor(service, cards.data) : null;
  const isByCard = saved !== "in_person" || typed.payment !== "in_person";
  const isOff = !isByCard && (!cards.data || missing !== null);
  return (
    <SectionCard id="booking-payment" title="Payment">
      <RadioGroup
        label="How people pay"
        value={typed.payment}
        onChange={(payment) => onChange({ payment })}
        choices={[
          { value: "in_person", label: "At the session", hint: "You agree on cash or another way." },
          {
            value: "full",
            label: "By card when they book",
            hint: "The time is booked once they've paid. You get the money a day after the session.",
            isOff,
          },
          {
            value: "deposit",
            label: "A deposit by card, the rest at the session",
            hint: "They pay a part when they book. What you keep of it for a late cancellation is up to your terms.",
            isOff,
          },
          {
            value: "hold",
            label: "Keep their card, and pay at the session",
            hint: "Nothing is paid when they book. Their card is charged only if they cancel late or don't come.",
            isOff,
          },
        ]}
      />
      {typed.payment === "deposit" && (
        <Field label="Deposit (% of the price)" error={errors.depositPercent}>
          <Input
            inputMode="numeric"
            className={styles.percent}
            value={typed.depositPercent}
            onChange={(event) => onChange({ depositPercent: event.target.value })}
          />
        </Field>
      )}
      <LoadNotice what="whether you can take cards" queries={[cards]} />
      {missing && (
        <Notice tone={isByCard ? "warning" : "info"}>
          {`${isByCard ? "People can't pay this service by card right now. " : ""}${missing.text} `}
          {missing.to && <Link to={missing.to}>{missing.link}</Link>}
        </Notice>
      )}
      {errors.payment && <Notice tone="danger">{errors.payment}</Notice>}
      {typed.payment !== "in_person" && !missing && (
        <Share terms={cardTerms(typed, standardTerms)} priceCents={service.priceCents} />
      )}
    </SectionCard>
  );
}

/** The terms as typed, for what people pay. An impossible percentage is 0. */
function cardTerms(typed: TypedBooking, standardTerms: ServiceBooking["standardTerms"]): CardTerms {
  const { latePercent, missedPercent } = typed.policy === "own" ? typed.own : standardTerms[typed.policy];
  const depositPercent = depositPercentOf(typed) ?? 0;
  return { payment: typed.payment, depositPercent, latePercent, missedPercent };
}

/** What people pay when they book, what their card can be charged later, and what the guru gets of it. */
function Share({ terms, priceCents }: { terms: CardTerms; priceCents: number }) {
  const { mode, nowCents, restCents } = wayToPay(terms, priceCents);
  if (terms.payment === "deposit" && terms.depositPercent === 0) return null;
  if (mode === "hold") {
    const missed = shareCents(priceCents, terms.missedPercent);
    const late =
      terms.latePercent > 0 ? `, and ${formatCents(shareCents(priceCents, terms.latePercent))} for canceling late` : "";
    return (
      <>
        <Hint aria-live="polite">{`Their card is charged ${formatCents(missed)} for not coming${late}.`}</Hint>
        <FeeLine priceCents={missed} isPaidByCard />
      </>
    );
  }
  if (mode === "in_person") return null;
  return (
    <>
      {mode === "deposit" && (
        <Hint aria-live="polite">{`People pay ${formatCents(nowCents)} when they book and ${formatCents(restCents)} at the session.`}</Hint>
      )}
      {terms.payment === "deposit" && mode === "full" && (
        <Hint aria-live="polite">
          {`This deposit is less than ${formatCents(MIN_CARD_CENTS)}, so people pay the whole price when they book.`}
        </Hint>
      )}
      <FeeLine priceCents={nowCents} isPaidByCard />
    </>
  );
}

/** What is missing before a service can be paid by card, with the page where the guru changes it. */
function missingFor({ priceCents, currency }: Service, cards: CardPayments): Missing | null {
  const missing = missingForCards(cards);
  if (missing) return missing;
  const { minimumCents } = cards;
  const least = formatCents(minimumCents);
  const change = { to: paths.guruServices, link: "Change the price" };
  if (currency !== "USD") return { text: "Cards can be charged in US dollars only.", ...change };
  return priceCents < minimumCents ? { text: `Cards take prices from ${least}.`, ...change } : null;
}
