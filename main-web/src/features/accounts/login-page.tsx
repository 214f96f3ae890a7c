import { Link, useLocation } from "react-router-dom";
import { paths } from "../../app/paths";
import { arrivalMessage } from "../../kit/arrival";
import { useSessionActions } from "../../kit/session/session-context";
import { Button } from "../../ui/button";
import { Field, Input, PasswordInput } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { Page } from "../../ui/page";
import { toast } from "../../ui/toast-store";
import { AccountCard } from "./account-card";
import styles from "./account-card.module.css";
import type { LoginValues } from "./account-schemas";
import { GoogleButton } from "./google-button";
import { useDoorForm } from "./use-door-form";
import { authCode, authErrorText, AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** Sign in with email and password or Google (SPEC 2.5). Going on from here is the route guard's part. */
export function LoginPage() {
  const location = useLocation();
  const { prepare, signIn } = useSessionActions();
  const message = arrivalMessage(location);
  const { busy, errors, field, focus, form } = useDoorForm((schemas) => schemas.loginSchema, submit);

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
    <Page title="Sign in" description="Sign in to Porchlight to book, teach and learn with your neighbors.">
      <AccountCard title="Welcome back" lead="Sign in to your corner of the neighborhood.">
        {message && <Notice>{message}</Notice>}
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
        </form>
        <GoogleButton />
        <p className={styles.other}>
          New to Porchlight?{" "}
          <Link to={{ pathname: paths.signup, search: location.search }} state={location.state as unknown}>
            Create an account
          </Link>
        </p>
      </AccountCard>
    </Page>
  );
}
