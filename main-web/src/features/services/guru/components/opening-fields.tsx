import { Link } from "react-router-dom";
import { Notice } from "@/components/ui/notice";
import { paths } from "@/config/paths";
import { RadioGroup } from "@/components/ui/radio-group";
import { SectionCard } from "@/components/ui/section-card";
import { CheckField } from "@/components/ui/check-field";
import type { ServiceBooking } from "../lib/types";
import type { TypedBooking } from "../lib/booking-settings";

type OpeningFieldsProps = {
  serviceName: string;
  booking: ServiceBooking;
  typed: TypedBooking;
  onChange: (part: Partial<TypedBooking>) => void;
};

/** Whether a service is open for booking, for which times, and whether the guru decides about each request. */
export function OpeningFields({ serviceName, booking, typed, onChange }: OpeningFieldsProps) {
  return (
    <SectionCard id="booking-open" title="Booking">
      {booking.minutes === null ? (
        <Notice tone="info">
          “{serviceName}” has no length in minutes, so it can't be booked by time.{" "}
          <Link to={paths.guruServices}>Set its length in minutes</Link> first.
        </Notice>
      ) : (
        <CheckField
          id="booking-is-open"
          checked={typed.open}
          onChange={(event) => onChange({ open: event.target.checked })}
          label="Open for booking"
        />
      )}
      <RadioGroup
        label="Start times"
        value={typed.starts}
        onChange={(starts) => onChange({ starts })}
        choices={[
          { value: "hours", label: "Any free time in my hours", hint: "Good for one-on-one sessions." },
          { value: "fixed", label: "Dates and times I set", hint: "Good for classes and workshops." },
        ]}
      />
      <RadioGroup
        label="When someone books"
        value={typed.approval}
        onChange={(approval) => onChange({ approval })}
        choices={[
          { value: "instant", label: "Confirm right away" },
          {
            value: "request",
            label: "I approve each request",
            hint: "You accept or decline each request within 24 hours.",
          },
        ]}
      />
    </SectionCard>
  );
}
