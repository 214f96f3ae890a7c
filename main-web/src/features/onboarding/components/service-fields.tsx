import { Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { errorsOf, minutesHint, type ServiceErrors, type TypedService } from "../lib/typed-services";
import styles from "./wizard.module.css";

type ServiceFieldsProps = {
  /** The place in the list, from 1. */
  number: number;
  service: TypedService;
  showsErrors: boolean;
  onChange: (part: Partial<TypedService>) => void;
  /** Absent for the only service. */
  onRemove: (() => void) | undefined;
};

/** What visitors read about a service: name, price, length, description and points. */
export function ServiceFields({ number, service, showsErrors, onChange, onRemove }: ServiceFieldsProps) {
  const errors: ServiceErrors = showsErrors ? errorsOf(service) : {};
  const { name, price, minutes, label, description, features } = service;
  return (
    <fieldset className={styles.service}>
      <legend className="visually-hidden">Service {number}</legend>
      <div className={styles.serviceFacts}>
        <Field label="Name" error={errors.name}>
          <Input value={name} onChange={(event) => onChange({ name: event.target.value })} />
        </Field>
        <Field label="Price ($)" error={errors.price}>
          <Input inputMode="decimal" value={price} onChange={(event) => onChange({ price: event.target.value })} />
        </Field>
        {label === null ? (
          <Field label="Minutes" hint={minutesHint(minutes)} error={errors.length}>
            <Input
              inputMode="numeric"
              value={minutes}
              onChange={(event) => onChange({ minutes: event.target.value })}
            />
          </Field>
        ) : (
          <Field label="Length" hint="Neighbors message you to book it." error={errors.length}>
            <Input value={label} onChange={(event) => onChange({ label: event.target.value })} />
          </Field>
        )}
      </div>
      <Field label="Description" optional error={errors.description}>
        <TextArea rows={2} value={description} onChange={(event) => onChange({ description: event.target.value })} />
      </Field>
      <Field label="What it includes" optional hint="One per line." error={errors.features}>
        <TextArea rows={3} value={features} onChange={(event) => onChange({ features: event.target.value })} />
      </Field>
      {onRemove && (
        <Button variant="ghost" size="sm" className={styles.remove} onClick={onRemove}>
          <Trash2 size={16} aria-hidden="true" />
          <span>
            Remove <span className="visually-hidden">{name || `service ${number}`}</span>
          </span>
        </Button>
      )}
    </fieldset>
  );
}
