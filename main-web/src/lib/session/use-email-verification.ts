import { useEffect, useEffectEvent, useState } from "react";
import { toast } from "@/lib/toast-store";
import { useSessionActions } from "./session-context";
import { authErrorText } from "@porchlight/shared/auth-errors";

/** Milliseconds between two checks whether the link in the email was opened. */
const CHECK_INTERVAL_MS = 5_000;

/** Call `onVerified` once the link in the email was opened, also in another tab. */
export function useVerificationCheck(onVerified: () => void) {
  const { checkVerification } = useSessionActions();
  const check = useEffectEvent(() => {
    if (document.visibilityState !== "visible") return;
    // A failure shows nothing: the next check follows.
    void checkVerification().then(
      (isVerified) => isVerified && onVerified(),
      () => undefined,
    );
  });

  useEffect(() => {
    const onChange = () => check();
    const timer = setInterval(onChange, CHECK_INTERVAL_MS);
    document.addEventListener("visibilitychange", onChange);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onChange);
    };
  }, []);
}

/** The two steps of a person whose email address is not verified: send the email again, and check again. */
export function useEmailVerification(onVerified: () => void) {
  const { resendVerification, checkVerification } = useSessionActions();
  const [busy, setBusy] = useState<"resend" | "check" | null>(null);

  async function run(step: "resend" | "check", request: () => Promise<void>) {
    setBusy(step);
    try {
      await request();
    } catch (reason) {
      toast.error(authErrorText(reason));
    } finally {
      setBusy(null);
    }
  }

  const resend = () =>
    run("resend", async () => {
      await resendVerification();
      toast.success("Verification email sent! Check your inbox.");
    });
  const check = () =>
    run("check", async () => {
      if (await checkVerification()) onVerified();
      else toast.info("Not verified yet. Click the link in your email first.");
    });
  return { busy, resend, check };
}
