import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { useSessionActions } from "../../kit/session/session-context";
import { Button } from "../../ui/button";
import { Field, Input } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { Page } from "../../ui/page";
import { toast } from "../../ui/toast-store";
import { AccountCard } from "./account-card";
import styles from "./account-card.module.css";
import type { ResetValues } from "./account-schemas";
import { useDoorForm } from "./use-door-form";
import { AUTH_TEXTS, resetErrorText } from "@porchlight/shared/auth-errors";

/** Ask for a mail with a link that sets a new password. */
export function ForgotPasswordPage() {
  const { sendPasswordReset } = useSessionActions();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { busy, errors, field, form } = useDoorForm((schemas) => schemas.resetSchema, submit);

  async function submit({ email }: ResetValues) {
    try {
      await sendPasswordReset(email);
      setSentTo(email);
      toast.success(AUTH_TEXTS.resetSent);
    } catch (reason) {
      setSentTo(null);
      toast.error(resetErrorText(reason));
    }
  }

  return (
    <Page title="Forgot your password" description="Ask for a link that lets you set a new Porchlight password.">
      <AccountCard title="Forgot your password?" lead="Tell us your email and we will send a link to set a new one.">
        {sentTo && (
          <Notice tone="success">
            If an account belongs to <strong className={styles.mail}>{sentTo}</strong>, a link is on its way. It may take a
            minute, and it may hide in the spam folder.
          </Notice>
        )}
        <form className={styles.form} {...form}>
          <Field label="Email" error={errors.email}>
            <Input
              type="email"
              autoComplete="email"
              inputMode="email"
              autoCapitalize="none"
              {...field("email")}
            />
          </Field>
          <Button type="submit" block loading={busy}>
            Send reset link
          </Button>
        </form>
        <p className={styles.other}>
          Remembered it? <Link to={paths.login}>Sign in</Link>
        </p>
      </AccountCard>
    </Page>
  );
}
