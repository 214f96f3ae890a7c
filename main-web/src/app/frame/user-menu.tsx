import type { SignedInUser } from "../../kit/session/session-context";

export function UserMenu({ user }: { user: SignedInUser }) {
  return <span>{user.displayName}</span>;
}
