import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { heldBooking } from "@/lib/held-booking";
import { useSession, useSessionActions } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { Field, PasswordInput } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { AuthCard } from "../components/auth-card";
import styles from "../components/auth-card.module.css";
import { BackToBooking } from "../components/held-booking";
import { newPasswordSchema, type NewPasswordValues } from "../lib/auth-schemas";
import { authErrorText } from "@porchlight/shared/auth-errors";
import { authCode } from "@porchlight/shared/session-errors";

const EXPIRED = "This link has expired or was already used. Please request a new one.";

function failureText(reason: unknown): string {
  return ["expired-action-code", "invalid-action-code"].includes(authCode(reason)) ? EXPIRED : authErrorText(reason);
}

/** The target of links in account emails: confirm or restore an address, or set a new password. */
export function EmailActionPage() {
  const [search] = useSearchParams();
  const code = search.get("oobCode") ?? "";
  const mode = search.get("mode");
  if (mode === "resetPassword") return <NewPassword code={code} />;
  if (mode === "recoverEmail") {
    return (
      <Confirmation
        code={code}
        title="Keep your old email address"
        lead="Someone changed the email address on your account. Click the button to change it back."
        button="Change it back"
        doneTitle="Email changed back"
        done="Your old email address is back. If you didn't make the change, set a new password too."
      />
    );
  }
  if (mode === "verifyAndChangeEmail") {
    return (
      <Confirmation
        code={code}
        title="Use this email address"
        lead="Click the button to switch your account to this address. You'll use it to sign in."
        button="Use this address"
        doneTitle="Email changed"
        done="Your email address has been changed. Use it the next time you sign in."
      />
    );
  }
  return (
    <Confirmation
      code={code}
      title="Almost done"
      lead="Is this your email?"
      button="Yes, confirm"
      doneTitle="Email confirmed"
      done="Thanks! Your email address is confirmed."
    />
  );
}

type ConfirmationProps = {
  code: string;
  title: string;
  lead: string;
  button: string;
  /** The title and the message afterwards. */
  doneTitle: string;
  done: string;
};

/** Requires a click, because mail scanners open links and would use up the code. */
function Confirmation({ code, title, lead, button, doneTitle, done }: ConfirmationProps) {
  const { applyMailCode } = useSessionActions();
  const [state, setState] = useState<"open" | "busy" | "done">("open");
  const [failure, setFailure] = useState<string | null>(code ? null : EXPIRED);

  async function apply() {
    setState("busy");
    setFailure(null);
    try {
      await applyMailCode(code);
      setState("done");
    } catch (reason) {
      setState("open");
      setFailure(failureText(reason));
    }
  }

  return (
    <PageHead title={state === "done" ? doneTitle : title} description={lead}>
      <AuthCard title={state === "done" ? doneTitle : title} lead={state === "done" ? "" : lead}>
        {failure && <Notice tone="danger">{failure}</Notice>}
        {state === "done" ? (
          <>
            <Notice tone="success">{done}</Notice>
            <Next />
          </>
        ) : (
          <Button block loading={state === "busy"} disabled={!code} onClick={() => void apply()}>
            {button}
          </Button>
        )}
      </AuthCard>
    </PageHead>
  );
}

/** Where to go on: to the booking that waits, if there is one. */
function Next() {
  const signedIn = useSession().status === "signed-in";
  const [token] = useState(() => heldBooking());
  const elsewhere = (
    <p className={styles.other}>
      {signedIn ? <Link to={paths.dashboard}>Go to your dashboard</Link> : <Link to={paths.login}>Sign in</Link>}
    </p>
  );
  return token === null ? elsewhere : <BackToBooking token={token}>{elsewhere}</BackToBooking>;
}

function NewPassword({ code }: { code: string }) {
  const { setForgottenPassword } = useSessionActions();
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<string | null>(code ? null : EXPIRED);
  const form = useForm<NewPasswordValues>({
    resolver: zodResolver(newPasswordSchema),
    defaultValues: { password: "", confirmPassword: "" },
    reValidateMode: "onSubmit",
  });
  const { errors, isSubmitting } = form.formState;

  async function submit({ password }: NewPasswordValues) {
    setFailure(null);
    try {
      await setForgottenPassword(code, password);
      setDone(true);
    } catch (reason) {
      setFailure(failureText(reason));
    }
  }

  const field = (name: "password" | "confirmPassword") =>
    form.register(name, { onChange: () => form.clearErrors(name) });
  return (
    <PageHead title="Set a new password" description="Choose a new password for your Porchlight account.">
      <AuthCard title="Set a new password" lead={done ? "" : "At least 6 characters. A few random words work well."}>
        {failure && <Notice tone="danger">{failure}</Notice>}
        {done ? (
          <>
            <Notice tone="success">Your password has been changed. You can sign in now.</Notice>
            <Next />
          </>
        ) : (
          <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
            <Field label="New password" error={errors.password?.message}>
              <PasswordInput autoComplete="new-password" {...field("password")} />
            </Field>
            <Field label="Confirm password" error={errors.confirmPassword?.message}>
              <PasswordInput autoComplete="new-password" {...field("confirmPassword")} />
            </Field>
            <Button type="submit" block loading={isSubmitting} disabled={!code}>
              Set password
            </Button>
          </form>
        )}
        {failure === EXPIRED && (
          <p className={styles.other}>
            <Link to={paths.forgotPassword}>Request a new link</Link>
          </p>
        )}
      </AuthCard>
    </PageHead>
  );
}
