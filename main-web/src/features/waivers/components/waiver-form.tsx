import { useRef } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RiskReasons } from "@/components/ui/risk-badge";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { toast } from "@/lib/toast-store";
import type { AcceptedWaiver, WaiverPayload } from "../api/accept-waiver";
import { useActivityRisk } from "../api/assess-risk";
import { useWaiverText } from "../api/get-waiver-text";
import { higherLevel, modalLevel, type WaiverLevel } from "../lib/levels";
import { useTextChange } from "../lib/use-text-change";
import { forRole, type WaiverRole } from "../lib/waiver-role";
import { canAccept, needsContact, waiverPayload, type WaiverExchange, type WaiverValues } from "../lib/waiver-values";
import { EmergencyContactFields } from "./emergency-contact-fields";
import { LevelBadge } from "./level-badge";
import { SignatureFields } from "./signature-fields";
import { WaiverCheck } from "./waiver-check";
import { WaiverTextBox } from "./waiver-text-box";
import styles from "./waiver-modal.module.css";
import { fieldErrors } from "@porchlight/shared/client";

/** SPEC 8.5, verbatim. */
const SUBMIT_FAILED = "Failed to submit liability waiver. Please try again.";
const UNEXPECTED = "An unexpected error occurred. Please try again.";

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
  const shown = higherLevel(modalLevel(exchange.category), minimumLevel);
  const level = risk.data ? higherLevel(shown, risk.data.rating) : shown;
  const text = useWaiverText(risk.isPending ? null : level, exchange.id);
  const textBox = useRef<HTMLDivElement>(null);
  const textChange = useTextChange(form, text.data, () => textBox.current?.focus());
  // One key per content: pressing again after an error does not store two waivers.
  const attempt = useRef({ content: "", key: "" });

  function accept() {
    if (onSignIn) {
      onSignIn(values);
      return;
    }
    if (!text.data) return;
    textChange.dismiss();
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
      <WaiverTextBox ref={textBox} text={text} />
      {textChange.hasChanged && !send.isError && (
        <Notice tone="warning">The waiver's text has changed. Please read it again and confirm it.</Notice>
      )}
      <fieldset className={styles.group}>
        <legend>What you confirm</legend>
        <WaiverCheck {...form.register("understood")}>I have read and understood this waiver.</WaiverCheck>
        <WaiverCheck {...form.register("acknowledged")}>I acknowledge the risks of this activity.</WaiverCheck>
        <WaiverCheck {...form.register("released")}>
          I agree to the release, and I accept it of my own free will.
        </WaiverCheck>
      </fieldset>
      {needsContact(level) && <EmergencyContactFields form={form} errors={fieldErrors(send.error)} />}
      <SignatureFields form={form} values={values} role={role} mustSign={mustSign} />
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
