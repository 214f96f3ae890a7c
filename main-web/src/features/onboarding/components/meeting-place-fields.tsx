import { Field, Select, TextArea } from "@/components/ui/field";
import { MAX_PLACE_LENGTH, placeOf, PLACES } from "@/lib/session-places";
import { placeError, type MeetingPlace } from "../lib/typed-services";

type MeetingPlaceFieldsProps = {
  where: MeetingPlace;
  showsErrors: boolean;
  onChange: (part: Partial<MeetingPlace>) => void;
};

/** Where a guru meets neighbors, for all services. */
export function MeetingPlaceFields({ where, showsErrors, onChange }: MeetingPlaceFieldsProps) {
  const place = where.place === "" ? undefined : placeOf(where.place);
  return (
    <>
      <Field
        label="Where you meet"
        hint="For all services. You can change it for each one later."
        error={showsErrors && where.place === "" ? "Choose where you meet" : undefined}
      >
        <Select
          value={where.place}
          onChange={(event) => onChange({ place: event.target.value as MeetingPlace["place"] })}
        >
          {where.place === "" && <option value="">Choose</option>}
          {PLACES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {place && (
        <Field
          label={place.text}
          optional={place.missing === undefined}
          hint="Only neighbors who booked see this."
          error={showsErrors ? placeError(where) : undefined}
        >
          <TextArea
            rows={2}
            maxLength={MAX_PLACE_LENGTH}
            value={where.placeText}
            onChange={(event) => onChange({ placeText: event.target.value })}
          />
        </Field>
      )}
    </>
  );
}
