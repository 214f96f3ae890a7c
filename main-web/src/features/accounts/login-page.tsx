import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
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
import { loginSchema, type LoginValues } from "./account-schemas";
import { GoogleButton } from "./google-button";
import { authCode, authErrorText, AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** Sign in with email and password or Google (SPEC 2.5). Going on from here is the route guard's part. */
export function LoginPage() {
  const location = useLocation();
  const { prepare, signIn } = useSessionActions();
  const message = arrivalMessage(location);
  const form = useForm<LoginValues>({
    resolver: zodResolver(loginSchema),
    defaultValues: { email: "", password: "" },
    reValidateMode: "onSubmit",
  });
  const { errors, isSubmitting } = form.formState;
  const field = (name: keyof LoginValues) => form.register(name, { onChange: () => form.clearErrors(name) });

  async function submit({ email, password }: LoginValues) {
    try {
      await signIn(email, password);
      toast.success(AUTH_TEXTS.signedIn);
    } catch (reason) {
      toast.error(authErrorText(reason));
      if (["wrong-password", "invalid-credential"].includes(authCode(reason))) {
        form.setFocus("password", { shouldSelect: true });
      }
    }
  }

  return (
    <Page title="Sign in" description="Sign in to Porchlight to book, teach and learn with your neighbors.">
      <AccountCard title="Welcome back" lead="Sign in to your corner of the neighborhood.">
        {message && <Notice>{message}</Notice>}
        <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
          <Field label="Email" error={errors.email?.message}>
            <Input
              type="email"
              autoComplete="email"
              inputMode="email"
              autoCapitalize="none"
              onFocus={() => prepare("password")}
              {...field("email")}
            />
          </Field>
          <Field label="Password" error={errors.password?.message}>
            <PasswordInput autoComplete="current-password" {...field("password")} />
          </Field>
          <p className={styles.forgot}>
            <Link to={paths.forgotPassword}>Forgot your password?</Link>
          </p>
          <Button type="submit" block loading={isSubmitting}>
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
