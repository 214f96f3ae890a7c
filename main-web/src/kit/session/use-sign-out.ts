import { toast } from "../../ui/toast-store";
import { useSessionActions } from "./session-context";
import { AUTH_TEXTS, signOutErrorText } from "@porchlight/shared/auth-errors";

/** Signs out and says how it went; resolves to whether it did. */
export function useSignOut(): () => Promise<boolean> {
  const { signOut } = useSessionActions();
  return async () => {
    try {
      await signOut();
      toast.success(AUTH_TEXTS.signedOut);
      return true;
    } catch (reason) {
      toast.error(signOutErrorText(reason));
      return false;
    }
  };
}
