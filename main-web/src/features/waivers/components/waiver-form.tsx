import { useEffect, useRef, useState, type ReactNode } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { RiskReasons } from "@/components/ui/risk-badge";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { toast } from "@/lib/toast-store";
import type { AcceptedWaiver, WaiverPayload } from "../api/accept-waiver";
import { useActivityRisk } from "../api/assess-risk";
import { useWaiverText } from "../api/get-waiver-text";
import { higherLevel, modalLevel, type WaiverLevel } from "../lib/levels";
import {
  canAccept,
  needsContact,
  textsId,
  waiverPayload,
  type WaiverExchange,
  type WaiverValues,
} from "../lib/waiver-values";
import { LevelBadge } from "./level-badge";
import { SignatureDrawing } from "./signature-drawing";
import { WaiverTextBody } from "./waiver-text";
import styles from "./waiver-modal.module.css";
import { fieldErrors } from "@porchlight/shared/client";

/** SPEC 8.5, verbatim. */
const SUBMIT_FAILED = "Failed to submit liability waiver. Please try again.";
const UNEXPECTED = "An unexpected error occurred. Please try again.";
const MAX_NAME_LENGTH = 120;
const MAX_PHONE_LENGTH = 40;

/** The person that a waiver covers: the signer, a child, or whom the signer chooses. */
export type WaiverRole = { for: "self" } | { for: "minor"; name: string } | { for: "choice"; minor?: string };

/** The request that sends a waiver, as a mutation. */
type Sending<T> = {
  mutate: (
    variables: { idempotencyKey: string; waiver: WaiverPayload },
    options: { onSuccess: (accepted: T) => void; onError: () => void },
  ) => void;
  isPending: boolean;
  isError: boolean;
  error: Error | null;
};

type WaiverFormProps<T extends AcceptedWaiver> = {
  /** The entered values. The caller owns them, so that they survive closing the form. */
  form: UseFormReturn<WaiverValues>;
  send: Sending<T>;
  exchange: WaiverExchange;
  /** The lowest level that is enough; the activity may need a higher one. */
  minimumLevel?: WaiverLevel;
  /** Whether a signature is required. */
  mustSign?: boolean;
  role?: WaiverRole;
  acceptLabel?: string;
  /** Called instead of sending for a signed-out visitor. */
  onSignIn?: ((values: WaiverValues) => void) | null;
  onAccepted: (accepted: T) => void;
  /** Shows "Not now". */
  onCancel?: () => void;
};

/** The waiver of an exchange: level, texts, consents, emergency contact, typed and drawn signature (SPEC 5). */
export function WaiverForm<T extends AcceptedWaiver>({
  form,
  send,
  exchange,
  minimumLevel = "low",
  mustSign = false,
  role = { for: "choice" },
  acceptLabel = "Accept",
  onSignIn = null,
  onAccepted,
  onCancel,
}: WaiverFormProps<T>) {
  const risk = useActivityRisk(exchange.category, exchange.activity);
  const entered = useWatch({ control: form.control }) as WaiverValues;
  const values = forRole(entered, role);
  const isByLink = role.for === "choice" && role.minor !== undefined;
  const shown = higherLevel(modalLevel(exchange.category), minimumLevel);
  const level = risk.data ? higherLevel(shown, risk.data.rating) : shown;
  const text = useWaiverText(risk.isPending ? null : level, exchange.id);
  const textBox = useRef<HTMLDivElement>(null);
  const [seenTexts, setSeenTexts] = useState(() => form.getValues("confirmedTexts"));
  const [hasTextChanged, setHasTextChanged] = useState(false);
  // One key per content: pressing again after an error does not store two waivers.
  const attempt = useRef({ content: "", key: "" });
  const fields = fieldErrors(send.error);

  const shownTexts = text.data && textsId(text.data);
  useEffect(() => {
    if (shownTexts === undefined) return;
    const confirmed = form.getValues("confirmedTexts");
    form.setValue("confirmedTexts", shownTexts);
    if (confirmed === "" || confirmed === shownTexts) return;
    // The confirmed text was another one. Everything else that was entered stays.
    for (const name of ["understood", "acknowledged", "released"] as const) form.setValue(name, false);
    textBox.current?.focus();
  }, [shownTexts, form]);
  if (shownTexts !== undefined && shownTexts !== seenTexts) {
    setSeenTexts(shownTexts);
    setHasTextChanged(seenTexts !== "");
  }

  function accept() {
    if (onSignIn) {
      onSignIn(values);
      return;
    }
    if (!text.data) return;
    setHasTextChanged(false);
    const waiver = waiverPayload(exchange, level, values, text.data);
    const content = JSON.stringify({ ...waiver, timestamp: "" });
    if (attempt.current.content !== content) attempt.current = { content, key: createIdempotencyKey() };
    send.mutate(
      { idempotencyKey: attempt.current.key, waiver },
      { onSuccess: onAccepted, onError: () => toast.error(SUBMIT_FAILED) },
    );
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      <div className={styles.level}>
        <LevelBadge level={level} />
        {text.data && <span className={styles.soft}>Valid for {text.data.validDays} days</span>}
      </div>
      {/* Reasons of another level would contradict this one: gurus rate their services themselves, too. */}
      {risk.data?.rating === level && <RiskReasons risk={risk.data} />}
      {/* Focusable, so that the keyboard can scroll it. */}
      <div
        ref={textBox}
        className={styles.textBox}
        role="region"
        aria-label="Waiver text"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-busy={text.isPending}
      >
        {text.data && <h3>{text.data.title}</h3>}
        {text.data && <WaiverTextBody body={text.data.body} />}
        {text.data?.guruText && (
          <>
            <h3 className={styles.guruTitle}>From {text.data.guruText.guruName}</h3>
            <p className={styles.guruText}>{text.data.guruText.body}</p>
          </>
        )}
        {text.isPending && <p role="status">Loading the waiver…</p>}
        {text.isError && <p role="alert">{`We couldn't load the waiver. ${text.error.message}`}</p>}
      </div>
      {text.isError && (
        <Button variant="secondary" size="sm" onClick={() => void text.refetch()} loading={text.isFetching}>
          Try again
        </Button>
      )}
      {hasTextChanged && !send.isError && (
        <Notice tone="warning">The waiver's text has changed. Please read it again and confirm it.</Notice>
      )}
      <fieldset className={styles.group}>
        <legend>What you confirm</legend>
        <Check {...form.register("understood")}>I have read and understood this waiver.</Check>
        <Check {...form.register("acknowledged")}>I acknowledge the risks of this activity.</Check>
        <Check {...form.register("released")}>I agree to the release, and I accept it of my own free will.</Check>
      </fieldset>
      {needsContact(level) && (
        <fieldset className={styles.group}>
          <legend>Emergency contact</legend>
          <div className={styles.pair}>
            <Field label="Contact name" error={fields["emergencyContact.name"]}>
              <Input maxLength={MAX_NAME_LENGTH} autoComplete="off" {...form.register("contactName")} />
            </Field>
            <Field label="Contact phone" error={fields["emergencyContact.phone"]}>
              <Input type="tel" maxLength={MAX_PHONE_LENGTH} autoComplete="off" {...form.register("contactPhone")} />
            </Field>
          </div>
          <Field label="Relationship" optional>
            <Input maxLength={MAX_NAME_LENGTH} autoComplete="off" {...form.register("contactRelationship")} />
          </Field>
        </fieldset>
      )}
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
          <Check {...form.register("guardian")}>
            {role.minor === undefined
              ? "The participant is 13 to 17, and I sign as a parent or legal guardian."
              : `${role.minor} is my child. I sign as a parent or legal guardian.`}
          </Check>
        )}
        {role.for === "choice" && role.minor === undefined && values.guardian && (
          <Field label="Name of the minor">
            <Input maxLength={MAX_NAME_LENGTH} autoComplete="off" {...form.register("participantName")} />
          </Field>
        )}
      </fieldset>
      {send.isError && <Notice tone="danger">{send.error?.message || UNEXPECTED}</Notice>}
      <div className={styles.actions}>
        {onCancel && (
          <Button variant="ghost" onClick={onCancel}>
            Not now
          </Button>
        )}
        <Button type="submit" loading={send.isPending} disabled={!text.data || !canAccept(values, level, mustSign)}>
          {send.isPending ? "Accepting..." : acceptLabel}
        </Button>
      </div>
    </form>
  );
}

/** Return what is signed in a role: what the signer chose does not matter where there is no choice. */
function forRole(values: WaiverValues, role: WaiverRole): WaiverValues {
  if (role.for === "self") return { ...values, guardian: false };
  if (role.for === "minor") return { ...values, guardian: true, participantName: role.name };
  return role.minor === undefined ? values : { ...values, participantName: role.minor };
}

function Check({ children, ...input }: React.ComponentProps<"input"> & { children: ReactNode }) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...input} />
      <span>{children}</span>
    </label>
  );
}
