import { Link, useLocation } from "react-router-dom";
import { paths } from "../../app/paths";
import { useSessionActions } from "../../kit/session/session-context";
import { Button } from "../../ui/button";
import { Field, Input, PasswordInput } from "../../ui/field";
import { Page } from "../../ui/page";
import { toast } from "../../ui/toast-store";
import { AccountCard } from "./account-card";
import styles from "./account-card.module.css";
import type { SignupValues } from "./account-schemas";
import { GoogleButton } from "./google-button";
import { useDoorForm } from "./use-door-form";
import { AUTH_TEXTS, signupErrorText } from "@porchlight/shared/auth-errors";

/** Make an account (SPEC 2.6). */
export function SignupPage() {
  const location = useLocation();
  const { prepare, signUp } = useSessionActions();
  const { busy, errors, field, form } = useDoorForm((schemas) => schemas.signupSchema, submit);

  async function submit({ firstName, lastName, email, password }: SignupValues) {
    try {
      await signUp({ firstName, lastName, email, password });
      toast.success(AUTH_TEXTS.accountCreated);
    } catch (reason) {
      toast.error(signupErrorText(reason));
    }
  }

  return (
    <Page title="Sign up" description="Make a free Porchlight account and meet the people who know things nearby.">
      <AccountCard title="Join your neighbors" lead="Free to join. Share a skill, learn one, lend a hand.">
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
      </AccountCard>
    </Page>
  );
}
