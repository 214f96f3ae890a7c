import { MailWarning } from "lucide-react";
import { useState } from "react";
import { useSessionActions, type SignedInUser } from "../../kit/session/session-context";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { toast } from "../../ui/toast-store";
import styles from "./dashboard-home.module.css";
import { authErrorText } from "@porchlight/shared/auth-errors";

/** An e-mail address nobody has proved yet: the mail again, or another look at whether the link was opened. */
export function VerifyEmail({ user }: { user: SignedInUser }) {
  const { resendVerification, checkVerification } = useSessionActions();
  const [busy, setBusy] = useState<"resend" | "check" | null>(null);

  async function run(what: "resend" | "check", act: () => Promise<void>) {
    setBusy(what);
    try {
      await act();
    } catch (reason) {
      toast.error(authErrorText(reason));
    } finally {
      setBusy(null);
    }
  }

  const resend = async () => {
    await resendVerification();
    toast.success("Verification email sent! Check your inbox.");
  };
  const check = async () => {
    if (await checkVerification()) toast.success("Your email is verified.");
    else toast.info("Not verified yet. Open the link in the mail first.");
  };

  return (
    <Card className={styles.row}>
      <MailWarning size={22} aria-hidden="true" className={styles.warn} />
      <div className={styles.words}>
        <h3 className={styles.name}>Verify your email</h3>
        <p className={styles.text}>
          We sent a link to <span className={styles.mail}>{user.email}</span>. Neighbors trust a verified account.
        </p>
      </div>
      <div className={styles.buttons}>
        <Button variant="secondary" size="sm" loading={busy === "resend"} onClick={() => void run("resend", resend)}>
          Send it again
        </Button>
        <Button variant="ghost" size="sm" loading={busy === "check"} onClick={() => void run("check", check)}>
          I have verified it
        </Button>
      </div>
    </Card>
  );
}
