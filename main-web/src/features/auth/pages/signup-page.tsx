import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { heldTime } from "@/lib/login-redirect";
import { useSessionActions } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { Field, Input, PasswordInput } from "@/components/ui/field";
import { PageHead } from "@/components/layout/page-head";
import { toast } from "@/lib/toast-store";
import { PAGE_HEADS } from "../page-heads";
import { AuthCard } from "../components/auth-card";
import styles from "../components/auth-card.module.css";
import type { SignupValues } from "../lib/auth-schemas";
import { HeldTime, HeldTitle } from "../components/held-booking";
import { GoogleButton } from "../components/google-button";
import { useAuthForm } from "../lib/use-auth-form";
import { useLoginLocation } from "../lib/use-login-location";
import { AUTH_TEXTS, signupErrorText } from "@porchlight/shared/auth-errors";

/** Creates an account (SPEC 2.6). */
export function SignupPage() {
  const location = useLoginLocation();
  const hold = heldTime(location);
  const { prepare, signUp } = useSessionActions();
  const { busy, errors, field, form } = useAuthForm((schemas) => schemas.signupSchema, submit);

  async function submit({ firstName, lastName, email, password }: SignupValues) {
    try {
      await signUp({ firstName, lastName, email, password });
      toast.success(AUTH_TEXTS.accountCreated);
    } catch (reason) {
      toast.error(signupErrorText(reason));
    }
  }

  return (
    <PageHead {...PAGE_HEADS[paths.signup]}>
      <AuthCard
        title={hold ? <HeldTitle token={hold}>Create your account to book</HeldTitle> : "Join your neighbors"}
        lead={hold ? "It's free, and takes a minute." : "It's free. Share a skill, learn one or lend a hand."}
      >
        {hold && <HeldTime token={hold} />}
        <form className={styles.form} {...form}>
          <div className={styles.pair}>
            <Field label="First name" error={errors.firstName}>
              <Input autoComplete="given-name" maxLength={80} {...field("firstName")} />
            </Field>
            <Field label="Last name" error={errors.lastName}>
              <Input autoComplete="family-name" maxLength={80} {...field("lastName")} />
            </Field>
          </div>
          <Field label="Email" error={errors.email}>
            <Input
              type="email"
              autoComplete="email"
              inputMode="email"
              autoCapitalize="none"
              {...field("email", () => prepare("password"))}
            />
          </Field>
          <Field label="Password" hint="At least 6 characters." error={errors.password}>
            <PasswordInput autoComplete="new-password" {...field("password")} />
          </Field>
          <Field label="Confirm password" error={errors.confirmPassword}>
            <PasswordInput autoComplete="new-password" {...field("confirmPassword")} />
          </Field>
          <Button type="submit" block loading={busy}>
            Create Account
          </Button>
        </form>
        <GoogleButton />
        <p className={styles.small}>
          By joining you agree to our <Link to={paths.terms}>Terms and Conditions</Link> and{" "}
          <Link to={paths.privacy}>Privacy Policy</Link>. You must be at least 13 years old.
        </p>
        <p className={styles.other}>
          Already have an account?{" "}
          <Link to={{ pathname: paths.login, search: location.search }} state={location.state as unknown}>
            Sign in
          </Link>
        </p>
      </AuthCard>
    </PageHead>
  );
}
