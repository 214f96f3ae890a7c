import { Field, Input } from "@/components/ui/field";
import { errorsOf, minutesHint, type ServiceErrors, type TypedService } from "../lib/typed-services";
import styles from "./wizard.module.css";

type ServiceFieldsProps = {
  /** The place in the list, from 1. */
  number: number;
  service: TypedService;
  showsErrors: boolean;
  onChange: (part: Partial<TypedService>) => void;
};

/** The name, price and length of a service. */
export function ServiceFields({ number, service, showsErrors, onChange }: ServiceFieldsProps) {
  const errors: ServiceErrors = showsErrors ? errorsOf(service) : {};
  return (
    <fieldset className={styles.service}>
      <legend className="visually-hidden">Service {number}</legend>
      <Field label="Name" error={errors.name}>
        <Input value={service.name} onChange={(event) => onChange({ name: event.target.value })} />
      </Field>
      <Field label="Price ($)" error={errors.price}>
        <Input
          inputMode="decimal"
          value={service.price}
          onChange={(event) => onChange({ price: event.target.value })}
        />
      </Field>
      {service.label === "" ? (
        <Field label="Minutes" hint={minutesHint(service.minutes)} error={errors.minutes}>
          <Input
            inputMode="numeric"
            value={service.minutes}
            onChange={(event) => onChange({ minutes: event.target.value })}
          />
        </Field>
      ) : (
        <Field label="Length" hint="Neighbors message you to book it.">
          <Input value={service.label} readOnly />
        </Field>
      )}
    </fieldset>
  );
}
