import type { UseFormReturn } from "react-hook-form";
import { Field, Input } from "@/components/ui/field";
import { MAX_NAME_LENGTH, type WaiverValues } from "../lib/waiver-values";
import styles from "./waiver-modal.module.css";

const MAX_PHONE_LENGTH = 40;

type EmergencyContactFieldsProps = {
  form: UseFormReturn<WaiverValues>;
  /** The server's messages, by field. */
  errors: Readonly<Record<string, string>>;
};

/** Whom to call in an emergency. */
export function EmergencyContactFields({ form, errors }: EmergencyContactFieldsProps) {
  return (
    <fieldset className={styles.group}>
      <legend>Emergency contact</legend>
      <div className={styles.pair}>
        <Field label="Contact name" error={errors["emergencyContact.name"]}>
          <Input maxLength={MAX_NAME_LENGTH} autoComplete="off" {...form.register("contactName")} />
        </Field>
        <Field label="Contact phone" error={errors["emergencyContact.phone"]}>
          <Input type="tel" maxLength={MAX_PHONE_LENGTH} autoComplete="off" {...form.register("contactPhone")} />
        </Field>
      </div>
      <Field label="Relationship" optional>
        <Input maxLength={MAX_NAME_LENGTH} autoComplete="off" {...form.register("contactRelationship")} />
      </Field>
    </fieldset>
  );
}
