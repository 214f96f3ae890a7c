import { useLookingAs } from "../../kit/looking-as";
import { useSession } from "../../kit/session/session-context";

/** Whose console this is; "" while nobody is signed in. Every answer is kept per account, and per guru staff look as. */
export function useUid(): string {
  const session = useSession();
  const looking = useLookingAs();
  if (looking) return `as ${looking.label}`;
  return session.status === "signed-in" ? session.user.uid : "";
}
