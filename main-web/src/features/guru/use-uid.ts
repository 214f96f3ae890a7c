import { useSession } from "../../kit/session/session-context";

/** Whose console this is; "" while nobody is signed in. Every answer is kept per account. */
export function useUid(): string {
  const session = useSession();
  return session.status === "signed-in" ? session.user.uid : "";
}
