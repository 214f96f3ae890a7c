import { MailWarning } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useSessionActions } from "@/lib/session/session-context";
import { toast } from "@/lib/toast-store";
import styles from "./book-page.module.css";
import { authErrorText } from "@porchlight/shared/auth-errors";

/** Milliseconds between two checks whether the link in the email was opened. */
const CHECK_INTERVAL_MS = 5_000;

/** Asks to verify the email address, and goes on by itself once the link was opened. */
export function VerifyEmailStep({ email, onVerified }: { email: string; onVerified: () => void }) {
  const { resendVerification, checkVerification } = useSessionActions();
  const [busy, setBusy] = useState<"resend" | "check" | null>(null);

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
    if (await checkVerification()) onVerified();
    else toast.info("Not verified yet. Click the link in your email first.");
  };

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
        <Button variant="secondary" loading={busy === "resend"} onClick={() => void run("resend", resend)}>
          Resend email
        </Button>
        <Button variant="ghost" loading={busy === "check"} onClick={() => void run("check", check)}>
          I've verified my email
        </Button>
      </div>
    </Card>
  );
}
