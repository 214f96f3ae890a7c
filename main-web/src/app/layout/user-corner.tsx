import { UnreadLink } from "@/features/messages/contract";
import { Bell } from "@/features/notifications/components/bell";
import type { SignedInUser } from "@/lib/session/session-context";
import { UserMenu } from "./user-menu";

// Most links of a signed-in user lead to these routes.
void import("../other-routes").catch(() => undefined);

/** The header's part for signed-in users: their messages, their notifications and their menu. */
export function UserCorner({ user, isConsole = false }: { user: SignedInUser; isConsole?: boolean }) {
  return (
    <>
      <UnreadLink userId={user.uid} side={isConsole ? "guru" : "person"} />
      <Bell />
      <UserMenu user={user} />
    </>
  );
}
