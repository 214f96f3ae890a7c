import { MailWarning } from "lucide-react";
import { useState } from "react";
import { useSessionActions, type SignedInUser } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/lib/toast-store";
import styles from "./dashboard-home.module.css";
import { authErrorText } from "@porchlight/shared/auth-errors";

/** Asks to verify the email address: send the email again, or check again. */
export function VerifyEmail({ user }: { user: SignedInUser }) {
  const { resendVerification, checkVerification } = useSessionActions();
  const [busy, setBusy] = useState<"resend" | "check" | null>(null);

  async function run(action: "resend" | "check", request: () => Promise<void>) {
    setBusy(action);
    try {
      await request();
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
    else toast.info("Not verified yet. Click the link in your email first.");
  };

  return (
    <Card className={styles.row}>
      <MailWarning size={22} aria-hidden="true" className={styles.warn} />
      <div className={styles.details}>
        <h3 className={styles.name}>Verify your email</h3>
        <p className={styles.text}>
          We sent a link to <span className={styles.mail}>{user.email}</span>. A verified account builds trust with
          neighbors.
        </p>
      </div>
      <div className={styles.buttons}>
        <Button variant="secondary" size="sm" loading={busy === "resend"} onClick={() => void run("resend", resend)}>
          Resend email
        </Button>
        <Button variant="ghost" size="sm" loading={busy === "check"} onClick={() => void run("check", check)}>
          I've verified my email
        </Button>
      </div>
    </Card>
  );
}
