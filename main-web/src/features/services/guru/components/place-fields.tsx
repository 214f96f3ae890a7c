import { Field, Select, TextArea } from "@/components/ui/field";
import { SectionCard } from "@/components/ui/section-card";
import { placeOf, PLACES } from "@/lib/session-places";
import type { BookingErrors, TypedBooking } from "../lib/booking-settings";

type PlaceFieldsProps = {
  typed: TypedBooking;
  errors: BookingErrors;
  onChange: (part: Partial<TypedBooking>) => void;
};

/** Where people meet, and what they bring. */
export function PlaceFields({ typed, errors, onChange }: PlaceFieldsProps) {
  const place = placeOf(typed.place);
  const isPlaceNeeded = typed.open && place.missing !== undefined;
  return (
    <SectionCard id="booking-place" title="Place">
      <Field label="Where you meet">
        <Select
          value={typed.place}
          onChange={(event) => onChange({ place: event.target.value as TypedBooking["place"] })}
        >
          {PLACES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label={place.text}
        optional={!isPlaceNeeded}
        hint="Only neighbors who booked see this."
        error={errors.placeText}
      >
        <TextArea
          name="placeText"
          rows={2}
          value={typed.placeText}
          onChange={(event) => onChange({ placeText: event.target.value })}
        />
      </Field>
      <Field
        label="What should I bring?"
        optional
        hint="Your answer for neighbors. They see it before they book."
        error={errors.bring}
      >
        <TextArea
          rows={2}
          maxLength={300}
          value={typed.bring}
          onChange={(event) => onChange({ bring: event.target.value })}
        />
      </Field>
    </SectionCard>
  );
}
