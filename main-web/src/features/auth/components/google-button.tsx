import { useState } from "react";
import { useSessionActions } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { toast } from "@/lib/toast-store";
import styles from "./google-button.module.css";
import { authErrorText, AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** A divider and the Google sign-in button. */
export function GoogleButton() {
  const { prepare, signInWithGoogle } = useSessionActions();
  const [busy, setBusy] = useState(false);

  async function signIn() {
    setBusy(true);
    try {
      await signInWithGoogle();
      toast.success(AUTH_TEXTS.signedInGoogle);
    } catch (reason) {
      toast.error(authErrorText(reason));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <p className={styles.or}>or</p>
      <Button
        variant="secondary"
        block
        loading={busy}
        onPointerEnter={() => prepare("google")}
        onFocus={() => prepare("google")}
        onClick={() => void signIn()}
      >
        {!busy && <GoogleMark />}
        Continue with Google
      </Button>
    </>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M23 12.3c0-.8-.1-1.5-.2-2.2H12v4.2h6.2a5.3 5.3 0 0 1-2.3 3.5v2.9h3.700c2.200-2 3.400-5 3.400-8.400z"
      />
      <path
        fill="#34a853"
        d="M12 23.5c3.100 0 5.700-1 7.600-2.800l-3.700-2.900c-1 .7-2.300 1.100-3.900 1.100-3 0-5.500-2-6.400-4.700H1.800v2.900A11.500 11.500 0 0 0 12 23.5z"
      />
      <path fill="#fbbc05" d="M5.600 14.200a6.900 6.900 0 0 1 0-4.400V6.900H1.800a11.500 11.500 0 0 0 0 10.200z" />
      <path
        fill="#ea4335"
        d="M12 5.100c1.700 0 3.200.6 4.400 1.700L19.700 3.500A11.500 11.500 0 0 0 1.800 6.900l3.800 2.900C6.500 7.100 9 5.100 12 5.100z"
      />
    </svg>
  );
}
