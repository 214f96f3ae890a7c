import { endPush } from "../end-push";
import { toast } from "../toast-store";
import { useSessionActions } from "./session-context";
import { AUTH_TEXTS, signOutErrorText } from "@porchlight/shared/auth-errors";

/** Return a function that signs out and shows a toast; it resolves to whether it succeeded. */
export function useSignOut(): () => Promise<boolean> {
  const { signOut } = useSessionActions();
  return async () => {
    try {
      await signOut();
      await endPush();
      toast.success(AUTH_TEXTS.signedOut);
      return true;
    } catch (reason) {
      toast.error(signOutErrorText(reason));
      return false;
    }
  };
}
