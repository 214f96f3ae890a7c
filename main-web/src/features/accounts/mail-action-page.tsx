import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { useSession, useSessionActions } from "../../kit/session/session-context";
import { Button } from "../../ui/button";
import { Field, PasswordInput } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { Page } from "../../ui/page";
import { AccountCard } from "./account-card";
import styles from "./account-card.module.css";
import { newPasswordSchema, type NewPasswordValues } from "./account-schemas";
import { authCode, authErrorText } from "@porchlight/shared/auth-errors";

const EXPIRED = "This link has expired or was used already. Please ask for a new one.";

function failureText(reason: unknown): string {
  return ["expired-action-code", "invalid-action-code"].includes(authCode(reason)) ? EXPIRED : authErrorText(reason);
}

/** Where the links of our mails lead: an address is confirmed or given back, a password set anew. */
export function MailActionPage() {
  const [search] = useSearchParams();
  const code = search.get("oobCode") ?? "";
  const mode = search.get("mode");
  if (mode === "resetPassword") return <NewPassword code={code} />;
  if (mode === "recoverEmail") {
    return (
      <Confirmation
        code={code}
        title="Keep your old email address"
        lead="Somebody changed the email address of your account. Press the button to change it back."
        button="Change it back"
        done="Your old email address is back. If you did not make the change, please set a new password too."
      />
    );
  }
  if (mode === "verifyAndChangeEmail") {
    return (
      <Confirmation
        code={code}
        title="Use this email address"
        lead="Press the button, and your account has this address from now on. You then sign in with it."
        button="Use this address"
        done="Your account has its new email address. From now on you sign in with it."
      />
    );
  }
  return (
    <Confirmation
      code={code}
      title="Confirm your email address"
      lead="One press, and we know that this address is yours."
      button="Confirm email address"
      done="Thank you! Your email address is confirmed."
    />
  );
}

type ConfirmationProps = { code: string; title: string; lead: string; button: string; done: string };

/** Waits for a press: programs that look through mail open links too, and would use the code up. */
function Confirmation({ code, title, lead, button, done }: ConfirmationProps) {
  const { applyMailCode } = useSessionActions();
  const signedIn = useSession().status === "signed-in";
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
    <Page title={title} description={lead}>
      <AccountCard title={title} lead={state === "done" ? "" : lead}>
        {failure && <Notice tone="danger">{failure}</Notice>}
        {state === "done" ? (
          <>
            <Notice tone="success">{done}</Notice>
            <p className={styles.other}>
              {signedIn ? <Link to={paths.dashboard}>Go to your dashboard</Link> : <Link to={paths.login}>Sign in</Link>}
            </p>
          </>
        ) : (
          <Button block loading={state === "busy"} disabled={!code} onClick={() => void apply()}>
            {button}
          </Button>
        )}
      </AccountCard>
    </Page>
  );
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
    <Page title="Set a new password" description="Choose a new password for your Porchlight account.">
      <AccountCard title="Set a new password" lead={done ? "" : "At least 6 characters; a few words in a row are best."}>
        {failure && <Notice tone="danger">{failure}</Notice>}
        {done ? (
          <>
            <Notice tone="success">Your new password is set. You can sign in with it now.</Notice>
            <p className={styles.other}>
              <Link to={paths.login}>Sign in</Link>
            </p>
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
            <Link to={paths.forgotPassword}>Ask for a new link</Link>
          </p>
        )}
      </AccountCard>
    </Page>
  );
}
