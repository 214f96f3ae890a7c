import { Field, Select } from "@/components/ui/field";
import { RadioGroup } from "@/components/ui/radio-group";
import { Hint } from "@/components/ui/hint";
import { FieldPair } from "@/components/ui/field-pair";
import { formatLength, withCurrent } from "@/lib/lengths";
import type { BookingTerms, ServiceBooking } from "../lib/types";
import type { BookingErrors, TypedBooking } from "../lib/booking-settings";
import { termsInWords } from "../lib/terms";
import { pluralize } from "@porchlight/shared/format/numbers";

const MINUTES = [0, 60, 120, 360, 720, 1440, 2880, 4320, 10_080, 20_160, 43_200];
const PERCENTS = [0, 25, 50, 75, 100];
const MOVES = [0, 1, 2, 3, 5, 10];

type CancellationFieldsProps = {
  standardTerms: ServiceBooking["standardTerms"];
  typed: TypedBooking;
  errors: BookingErrors;
  onChange: (part: Partial<TypedBooking>) => void;
};

/** The cancellation terms in words; the guru's own ones have a field for each part. */
export function CancellationFields({ standardTerms, typed, errors, onChange }: CancellationFieldsProps) {
  const { own, policy } = typed;
  return (
    <>
      <RadioGroup
        label="When a neighbor cancels"
        value={policy}
        onChange={(chosen) =>
          // Own terms start from the terms chosen before.
          onChange({ policy: chosen, ...(chosen === "own" && policy !== "own" && { own: standardTerms[policy] }) })
        }
        choices={[
          { value: "flexible", label: "Flexible", hint: termsInWords(standardTerms.flexible) },
          { value: "moderate", label: "Moderate", hint: termsInWords(standardTerms.moderate) },
          { value: "strict", label: "Strict", hint: termsInWords(standardTerms.strict) },
          { value: "own", label: "My own terms", ...(policy === "own" && { hint: termsInWords(own) }) },
        ]}
      />
      {policy === "own" && (
        <OwnTerms terms={own} errors={errors} onChange={(part) => onChange({ own: { ...own, ...part } })} />
      )}
      <Hint>Booked sessions keep the terms they were booked with.</Hint>
    </>
  );
}

type OwnTermsProps = {
  terms: BookingTerms;
  errors: BookingErrors;
  onChange: (part: Partial<BookingTerms>) => void;
};

function OwnTerms({ terms, errors, onChange }: OwnTermsProps) {
  const before = (minutes: number) => (minutes === 0 ? "the start" : `${formatLength(minutes)} before`);
  const percent = (value: number) => `${value}% of the price`;
  const moves = (count: number) => (count === 0 ? "None" : pluralize(count, "move"));
  return (
    <FieldPair>
      <NumberSelect
        label="Free until"
        error={errors["terms.freeUntilMinutes"]}
        choices={MINUTES}
        value={terms.freeUntilMinutes}
        format={before}
        onChange={(freeUntilMinutes) => onChange({ freeUntilMinutes })}
      />
      <NumberSelect
        label="Later, it costs"
        choices={PERCENTS}
        value={terms.latePercent}
        format={percent}
        onChange={(latePercent) => onChange({ latePercent })}
      />
      <NumberSelect
        label="A missed session costs"
        error={errors["terms.missedPercent"]}
        choices={PERCENTS}
        value={terms.missedPercent}
        format={percent}
        onChange={(missedPercent) => onChange({ missedPercent })}
      />
      <NumberSelect
        label="Moves"
        choices={MOVES}
        value={terms.movesMax}
        format={moves}
        onChange={(movesMax) => onChange({ movesMax })}
      />
      <NumberSelect
        label="Move until"
        choices={MINUTES}
        value={terms.moveUntilMinutes}
        format={before}
        onChange={(moveUntilMinutes) => onChange({ moveUntilMinutes })}
      />
    </FieldPair>
  );
}

type NumberSelectProps = {
  label: string;
  error?: string | undefined;
  choices: readonly number[];
  value: number;
  format: (value: number) => string;
  onChange: (value: number) => void;
};

function NumberSelect({ label, error, choices, value, format, onChange }: NumberSelectProps) {
  return (
    <Field label={label} error={error}>
      <Select value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {withCurrent(choices, value).map((each) => (
          <option key={each} value={each}>
            {format(each)}
          </option>
        ))}
      </Select>
    </Field>
  );
}
