import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/lib/toast-store";
import { useSessionActions } from "@/lib/session/session-context";
import { sendSignInCode } from "@/lib/session/sign-in-code";
import type { CodeValues } from "../lib/auth-schemas";
import { useAuthForm } from "../lib/use-auth-form";
import styles from "./auth-card.module.css";
import { authErrorText, AUTH_TEXTS } from "@porchlight/shared/auth-errors";
import { ApiError, fieldErrors } from "@porchlight/shared/client";

type Sent = { id: string; email: string };

/** Signs in with six digits by email, which verify the address too. New people get an account. */
export function CodeForm({ onUsePassword }: { onUsePassword: () => void }) {
  const { prepare } = useSessionActions();
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState<Sent | null>(null);
  const { busy, errors, field, form, fail } = useAuthForm((schemas) => schemas.codeSchema, send);

  async function send(values: CodeValues) {
    setEmail(values.email);
    try {
      setSent({ ...(await sendSignInCode(values.email)), email: values.email });
    } catch (reason) {
      const problem = fieldErrors(reason).email;
      if (problem) fail({ email: problem });
      else toast.error(authErrorText(reason));
    }
  }

  if (sent) return <Digits key={sent.id} sent={sent} onSent={setSent} onChangeEmail={() => setSent(null)} />;
  return (
    <form className={styles.form} {...form}>
      <Field label="Email" hint="We'll email you a 6-digit code. No password needed." error={errors.email}>
        <Input
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          defaultValue={email}
          {...field("email", () => prepare("password"))}
        />
      </Field>
      <Button type="submit" block loading={busy}>
        Email me a code
      </Button>
      <Button variant="ghost" block onClick={onUsePassword}>
        Use a password instead
      </Button>
    </form>
  );
}

const DIGITS = 6;

type DigitsProps = { sent: Sent; onSent: (sent: Sent) => void; onChangeEmail: () => void };

function Digits({ sent, onSent, onChangeEmail }: DigitsProps) {
  const { signInWithCode } = useSessionActions();
  const [digits, setDigits] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState<"sign-in" | "send" | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  async function signIn(code: string) {
    if (busy) return;
    if (code.length < DIGITS) {
      setError("Type the 6 digits from the email.");
      input.current?.focus();
      return;
    }
    setBusy("sign-in");
    try {
      const { isNew } = await signInWithCode({ id: sent.id, digits: code });
      toast.success(isNew ? AUTH_TEXTS.accountCreated : AUTH_TEXTS.signedIn);
    } catch (reason) {
      setBusy(null);
      setError(codeErrorText(reason));
      input.current?.focus();
      input.current?.select();
    }
  }

  async function sendAgain() {
    setBusy("send");
    try {
      onSent({ ...(await sendSignInCode(sent.email)), email: sent.email });
      toast.success("We sent you a new code.");
    } catch (reason) {
      setBusy(null);
      toast.error(authErrorText(reason));
    }
  }

  function change(text: string) {
    const typed = text.replace(/\D/g, "").slice(0, DIGITS);
    setDigits(typed);
    setError(undefined);
    if (typed.length === DIGITS && typed !== digits) void signIn(typed);
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        void signIn(digits);
      }}
    >
      <p className={styles.sent} role="status">
        We sent a code to <strong className={styles.mail}>{sent.email}</strong>. It works for 10 minutes.
      </p>
      <Field label="6-digit code" error={error}>
        <Input
          ref={input}
          name="code"
          className={styles.digits}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={digits}
          onChange={(event) => change(event.target.value)}
        />
      </Field>
      <Button type="submit" block loading={busy === "sign-in"}>
        Sign In
      </Button>
      <div className={styles.pairOfLinks}>
        <Button variant="ghost" size="sm" loading={busy === "send"} onClick={() => void sendAgain()}>
          Send a new code
        </Button>
        <Button variant="ghost" size="sm" onClick={onChangeEmail}>
          Use another email
        </Button>
      </div>
    </form>
  );
}

function codeErrorText(reason: unknown): string {
  const problem = fieldErrors(reason).code;
  if (problem) return problem;
  return reason instanceof ApiError ? reason.message : authErrorText(reason);
}
