import type { UseFormReturn } from "react-hook-form";
import { Field, Input } from "@/components/ui/field";
import type { WaiverRole } from "../lib/waiver-role";
import { MAX_NAME_LENGTH, type WaiverValues } from "../lib/waiver-values";
import { SignatureDrawing } from "./signature-drawing";
import { WaiverCheck } from "./waiver-check";
import styles from "./waiver-modal.module.css";

type SignatureFieldsProps = {
  form: UseFormReturn<WaiverValues>;
  /** The values of the form in the role. */
  values: WaiverValues;
  role: WaiverRole;
  mustSign: boolean;
};

/** The typed and drawn signature, and for whom it is. */
export function SignatureFields({ form, values, role, mustSign }: SignatureFieldsProps) {
  const isByLink = role.for === "choice" && role.minor !== undefined;
  return (
    <fieldset className={styles.group}>
      <legend>Signature</legend>
      <Field
        label={values.guardian ? "Your name" : "Participant's name"}
        hint={`Typing your full name is your signature.${mustSign && !isByLink ? " Your guru requires it." : ""}`}
      >
        <Input maxLength={MAX_NAME_LENGTH} autoComplete="name" {...form.register("typedName")} />
      </Field>
      <SignatureDrawing lines={values.drawing} onChange={(lines) => form.setValue("drawing", lines)} />
      {role.for === "minor" && <p>You sign for {role.name}, as a parent or legal guardian.</p>}
      {role.for === "choice" && (
        <WaiverCheck {...form.register("guardian")}>
          {role.minor === undefined
            ? "The participant is 13 to 17, and I sign as a parent or legal guardian."
            : `${role.minor} is my child. I sign as a parent or legal guardian.`}
        </WaiverCheck>
      )}
      {role.for === "choice" && role.minor === undefined && values.guardian && (
        <Field label="Name of the minor">
          <Input maxLength={MAX_NAME_LENGTH} autoComplete="off" {...form.register("participantName")} />
        </Field>
      )}
    </fieldset>
  );
}
