import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { RadioGroup } from "@/components/ui/radio-group";
import { SectionCard } from "@/components/ui/section-card";
import { FeeLine, useCardPayments, type CardPayments } from "@/features/money/contract";
import type { BookingErrors, TypedBooking } from "../lib/booking-settings";
import type { Service, ServiceBooking } from "../lib/types";
import { formatCents } from "@porchlight/shared/format/money";

type PaymentFieldsProps = {
  service: Service;
  saved: ServiceBooking["payment"];
  typed: TypedBooking;
  errors: BookingErrors;
  onChange: (part: Partial<TypedBooking>) => void;
};

/** How people pay a service. Cards are off while something is missing, unless the service takes them already. */
export function PaymentFields({ service, saved, typed, errors, onChange }: PaymentFieldsProps) {
  const cards = useCardPayments();
  const missing = cards.data ? missingFor(service, cards.data) : null;
  const isByCard = saved === "full" || typed.payment === "full";
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
            isOff: !isByCard && (!cards.data || missing !== null),
          },
        ]}
      />
      <LoadNotice what="whether you can take cards" queries={[cards]} />
      {missing && (
        <Notice tone={isByCard ? "warning" : "info"}>
          {`${isByCard ? "People can't pay this service by card right now. " : ""}${missing.text} `}
          {missing.to && <Link to={missing.to}>{missing.link}</Link>}
        </Notice>
      )}
      {errors.payment && <Notice tone="danger">{errors.payment}</Notice>}
      {typed.payment === "full" && !missing && <FeeLine priceCents={service.priceCents} isPaidByCard />}
    </SectionCard>
  );
}

type Missing = { text: string; to?: string; link?: string };

/** What is missing before a service can be paid by card, with the page where the guru changes it. */
function missingFor({ priceCents, currency }: Service, { state, minimumCents }: CardPayments): Missing | null {
  switch (state) {
    case "not_set_up":
      return { text: "Payments are not set up on this site yet." };
    case "plan_required":
      return { text: "Taking cards needs a plan that includes it.", to: paths.pricing, link: "See the plans" };
    case "not_connected":
      return {
        text: "Connect your payout account first, so that the money can reach you.",
        to: paths.payouts,
        link: "Set up payouts",
      };
    case "ready":
      break;
  }
  const least = formatCents(minimumCents);
  const change = { to: paths.guruServices, link: "Change the price" };
  if (currency !== "USD") return { text: "Cards can be charged in US dollars only.", ...change };
  return priceCents < minimumCents ? { text: `Cards take prices from ${least}.`, ...change } : null;
}
