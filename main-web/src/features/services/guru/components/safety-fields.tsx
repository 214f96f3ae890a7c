import { Field, Select } from "@/components/ui/field";
import { RadioGroup } from "@/components/ui/radio-group";
import { SectionCard } from "@/components/ui/section-card";
import type { TypedBooking } from "../lib/booking-settings";

type SafetyFieldsProps = { typed: TypedBooking; onChange: (part: Partial<TypedBooking>) => void };

/** The risk of a service, and when it needs a waiver. */
export function SafetyFields({ typed, onChange }: SafetyFieldsProps) {
  return (
    <SectionCard id="booking-safety" title="Safety">
      <Field label="Risk level" hint="Change it if this service is riskier or safer than our rating below.">
        <Select value={typed.risk} onChange={(event) => onChange({ risk: event.target.value as TypedBooking["risk"] })}>
          <option value="">Our rating</option>
          <option value="low">Low</option>
          <option value="medium">Medium</option>
          <option value="high">High</option>
          <option value="extreme">Extreme</option>
        </Select>
      </Field>
      <RadioGroup
        label="Liability waiver"
        value={typed.waiver}
        onChange={(waiver) => onChange({ waiver })}
        choices={[
          { value: "risk", label: "Only for high risk", hint: "High and extreme risk always need a waiver." },
          { value: "always", label: "Always" },
          { value: "signed", label: "Always, with a signature" },
        ]}
      />
    </SectionCard>
  );
}
