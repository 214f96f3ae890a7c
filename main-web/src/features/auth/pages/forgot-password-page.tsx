import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useSessionActions } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { toast } from "@/lib/toast-store";
import { PAGE_HEADS } from "../page-heads";
import { AuthCard } from "../components/auth-card";
import styles from "../components/auth-card.module.css";
import type { ResetValues } from "../lib/auth-schemas";
import { useAuthForm } from "../lib/use-auth-form";
import { AUTH_TEXTS, resetErrorText } from "@porchlight/shared/auth-errors";

/** Requests an email with a link that sets a new password. */
export function ForgotPasswordPage() {
  const { sendPasswordReset } = useSessionActions();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { busy, errors, field, form } = useAuthForm((schemas) => schemas.resetSchema, submit);

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
    <PageHead {...PAGE_HEADS[paths.forgotPassword]}>
      <AuthCard title="Forgot your password?" lead="Enter your email and we'll send you a link to set a new one.">
        {sentTo && (
          <Notice tone="success">
            If there's an account for <strong className={styles.mail}>{sentTo}</strong>, we've sent a link. It may take
            a minute, so check your spam folder too.
          </Notice>
        )}
        <form className={styles.form} {...form}>
          <Field label="Email" error={errors.email}>
            <Input type="email" autoComplete="email" inputMode="email" autoCapitalize="none" {...field("email")} />
          </Field>
          <Button type="submit" block loading={busy}>
            Send reset link
          </Button>
        </form>
        <p className={styles.other}>
          Remember your password? <Link to={paths.login}>Sign in</Link>
        </p>
      </AuthCard>
    </PageHead>
  );
}
