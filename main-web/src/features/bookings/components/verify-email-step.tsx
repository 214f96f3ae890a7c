import { MailWarning } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useEmailVerification, useVerificationCheck } from "@/lib/session/use-email-verification";
import styles from "./book-page.module.css";

/** Asks to verify the email address, and goes on by itself once the link was opened. */
export function VerifyEmailStep({
  email,
  keeps = "Your time and what you typed stay here.",
  onVerified,
}: {
  email: string;
  /** What waits on the page meanwhile. */
  keeps?: string;
  onVerified: () => void;
}) {
  const { busy, resend, check } = useEmailVerification(onVerified);
  useVerificationCheck(onVerified);

  return (
    <Card as="section" className={styles.step} aria-labelledby="verify-email">
      <h2 id="verify-email" className={styles.stepTitle}>
        <MailWarning size={20} aria-hidden="true" />
        Verify your email
      </h2>
      <p>
        We sent a link to <strong className={styles.email}>{email}</strong>. Open it, then come back to this page.{" "}
        {keeps}
      </p>
      <div className={styles.row}>
        <Button variant="secondary" loading={busy === "resend"} onClick={() => void resend()}>
          Resend email
        </Button>
        <Button variant="ghost" loading={busy === "check"} onClick={() => void check()}>
          I've verified my email
        </Button>
      </div>
    </Card>
  );
}
