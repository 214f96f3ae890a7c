import { MailWarning } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useSessionActions } from "@/lib/session/session-context";
import { useEmailVerification } from "@/lib/session/use-email-verification";
import styles from "./book-page.module.css";

/** Milliseconds between two checks whether the link in the email was opened. */
const CHECK_INTERVAL_MS = 5_000;

/** Asks to verify the email address, and goes on by itself once the link was opened. */
export function VerifyEmailStep({ email, onVerified }: { email: string; onVerified: () => void }) {
  const { checkVerification } = useSessionActions();
  const { busy, resend, check } = useEmailVerification(onVerified);

  const checkQuietly = useEffectEvent(() => {
    if (document.visibilityState !== "visible") return;
    // A failure shows nothing: the next check follows.
    void checkVerification().then(
      (isVerified) => isVerified && onVerified(),
      () => undefined,
    );
  });

  useEffect(() => {
    const onChange = () => checkQuietly();
    const timer = setInterval(onChange, CHECK_INTERVAL_MS);
    document.addEventListener("visibilitychange", onChange);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onChange);
    };
  }, []);

  return (
    <Card as="section" className={styles.step} aria-labelledby="verify-email">
      <h2 id="verify-email" className={styles.stepTitle}>
        <MailWarning size={20} aria-hidden="true" />
        Verify your email
      </h2>
      <p>
        We sent a link to <strong className={styles.email}>{email}</strong>. Open it, then come back to this page. Your
        time and what you typed stay here.
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
