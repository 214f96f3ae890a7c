import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { heldTime, loginMessage } from "@/lib/login-redirect";
import { useSessionActions } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { Field, Input, PasswordInput } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { toast } from "@/lib/toast-store";
import { PAGE_HEADS } from "../page-heads";
import { AuthCard } from "../components/auth-card";
import styles from "../components/auth-card.module.css";
import type { LoginValues } from "../lib/auth-schemas";
import { CodeForm } from "../components/code-form";
import { GoogleButton } from "../components/google-button";
import { HeldTime } from "../components/held-booking";
import { useAuthForm } from "../lib/use-auth-form";
import { useLoginLocation } from "../lib/use-login-location";
import { authErrorText, AUTH_TEXTS } from "@porchlight/shared/auth-errors";
import { authCode } from "@porchlight/shared/session-errors";

/** Signs in with email and password or Google (SPEC 2.5). The route guard redirects afterwards. */
export function LoginPage() {
  const location = useLoginLocation();
  const hold = heldTime(location);
  const [chosen, setByCode] = useState<boolean | null>(null);
  const byCode = chosen ?? hold !== null;
  const message = loginMessage(location);
  return (
    <PageHead {...PAGE_HEADS[paths.login]}>
      <AuthCard
        title={hold ? "Sign in to book" : "Welcome back"}
        lead={hold ? "New here? This makes your account, too." : "Sign in to your account."}
      >
        {message && <Notice>{message}</Notice>}
        {hold && <HeldTime token={hold} />}
        {byCode ? (
          <CodeForm onUsePassword={() => setByCode(false)} />
        ) : (
          <PasswordSignIn onUseCode={() => setByCode(true)} />
        )}
        <GoogleButton />
        <p className={styles.other}>
          New to Porchlight?{" "}
          <Link to={{ pathname: paths.signup, search: location.search }} state={location.state as unknown}>
            Create an account
          </Link>
        </p>
      </AuthCard>
    </PageHead>
  );
}

function PasswordSignIn({ onUseCode }: { onUseCode: () => void }) {
  const { prepare, signIn } = useSessionActions();
  const { busy, errors, field, focus, form } = useAuthForm((schemas) => schemas.loginSchema, submit);

  async function submit({ email, password }: LoginValues) {
    try {
      await signIn(email, password);
      toast.success(AUTH_TEXTS.signedIn);
    } catch (reason) {
      toast.error(authErrorText(reason));
      if (["wrong-password", "invalid-credential"].includes(authCode(reason))) focus("password");
    }
  }

  return (
    <form className={styles.form} {...form}>
      <Field label="Email" error={errors.email}>
        <Input
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          {...field("email", () => prepare("password"))}
        />
      </Field>
      <Field label="Password" error={errors.password}>
        <PasswordInput autoComplete="current-password" {...field("password")} />
      </Field>
      <p className={styles.forgot}>
        <Link to={paths.forgotPassword}>Forgot your password?</Link>
      </p>
      <Button type="submit" block loading={busy}>
        Sign In
      </Button>
      <Button variant="ghost" block onClick={onUseCode}>
        Email me a code instead
      </Button>
    </form>
  );
}
