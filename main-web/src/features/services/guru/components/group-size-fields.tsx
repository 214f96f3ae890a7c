import { Field, Input } from "@/components/ui/field";
import { SectionCard } from "@/components/ui/section-card";
import { FieldPair } from "@/components/ui/field-pair";
import { AffectedBookings } from "@/features/bookings/contract";
import type { ServiceBooking } from "../lib/types";
import { changedGroup, type BookingErrors, type TypedBooking } from "../lib/booking-settings";

type GroupSizeFieldsProps = {
  serviceId: string;
  booking: ServiceBooking;
  typed: TypedBooking;
  errors: BookingErrors;
  onChange: (part: Partial<TypedBooking>) => void;
};

/** How many people come, and the breaks around a session. */
export function GroupSizeFields({ serviceId, booking, typed, errors, onChange }: GroupSizeFieldsProps) {
  return (
    <SectionCard id="booking-group" title="Group size and breaks">
      <FieldPair>
        <Field label="Spots in a session" hint="1 for one-on-one." error={errors.capacity}>
          <Input
            inputMode="numeric"
            value={typed.capacity}
            onChange={(event) => onChange({ capacity: event.target.value })}
          />
        </Field>
        <Field label="Spots per booking" error={errors.partyMax}>
          <Input
            inputMode="numeric"
            value={typed.partyMax}
            onChange={(event) => onChange({ partyMax: event.target.value })}
          />
        </Field>
        <Field label="Buffer before (minutes)" error={errors.setupMinutes}>
          <Input
            inputMode="numeric"
            value={typed.setupMinutes}
            onChange={(event) => onChange({ setupMinutes: event.target.value })}
          />
        </Field>
        <Field label="Buffer after (minutes)" error={errors.cleanupMinutes}>
          <Input
            inputMode="numeric"
            value={typed.cleanupMinutes}
            onChange={(event) => onChange({ cleanupMinutes: event.target.value })}
          />
        </Field>
      </FieldPair>
      <AffectedBookings rules={changedGroup(serviceId, booking, typed)} text="These sessions stay as booked:" />
    </SectionCard>
  );
}
