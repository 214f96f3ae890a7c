import { MailWarning } from "lucide-react";
import type { SignedInUser } from "@/lib/session/session-context";
import { useEmailVerification } from "@/lib/session/use-email-verification";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { toast } from "@/lib/toast-store";
import styles from "./dashboard-home.module.css";

/** Asks to verify the email address: send the email again, or check again. */
export function VerifyEmail({ user }: { user: SignedInUser }) {
  const { busy, resend, check } = useEmailVerification(() => toast.success("Your email is verified."));

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
        <Button variant="secondary" size="sm" loading={busy === "resend"} onClick={() => void resend()}>
          Resend email
        </Button>
        <Button variant="ghost" size="sm" loading={busy === "check"} onClick={() => void check()}>
          I've verified my email
        </Button>
      </div>
    </Card>
  );
}
