import { Field, Select } from "@/components/ui/field";
import { RECORDED_MINUTES, recordedText } from "../lib/hours";

type MinutesFieldProps = {
  value: number;
  hint: string;
  error?: string | undefined;
  onChange: (minutes: number) => void;
};

/** A length in quarter hours, or that the session did not take place. */
export function MinutesField({ value, hint, error, onChange }: MinutesFieldProps) {
  return (
    <Field label="How long it took" hint={hint} error={error}>
      <Select value={value} onChange={(event) => onChange(Number(event.target.value))}>
        {RECORDED_MINUTES.map((each) => (
          <option key={each} value={each}>
            {recordedText(each)}
          </option>
        ))}
      </Select>
    </Field>
  );
}
