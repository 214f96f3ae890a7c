import { BadgeCheck, CalendarDays, ChevronDown, Hourglass, LogOut, Receipt, Store, UserRound } from "lucide-react";
import { useNavigate } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { useMyGuru } from "@/features/console/api/get-my-guru";
import { useProfile } from "@/lib/session/get-profile";
import type { SignedInUser } from "@/lib/session/session-context";
import { useSignOut } from "@/lib/session/use-sign-out";
import { Avatar } from "@/components/ui/avatar";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { paths } from "@/config/paths";
import styles from "./user-menu.module.css";

/** The menu of the signed-in user: profile, sessions, orders, plan, site and sign-out. */
export function UserMenu({ user }: { user: SignedInUser }) {
  const navigate = useNavigate();
  const hasSessions = useFlag("booking");
  const profile = useProfile({ retryOnMount: false }).data;
  const guru = useMyGuru({ retryOnMount: false }).data;
  const name = profile?.displayName || user.displayName || user.email;

  const signOut = useSignOut();

  async function leave() {
    if (await signOut()) await navigate(paths.home);
  }

  return (
    <Menu
      label="Account"
      trigger={
        <button type="button" className={styles.trigger} aria-label={`Account menu for ${name}`}>
          <Avatar name={name} src={profile ? profile.photoURL : user.photoURL} />
          <ChevronDown size={16} aria-hidden="true" />
        </button>
      }
    >
      <MenuLabel>
        <span className={styles.name}>{name}</span>
        {name !== user.email && <span className={styles.email}>{user.email}</span>}
      </MenuLabel>
      <MenuSeparator />
      <MenuItem icon={UserRound} onSelect={() => void navigate(paths.profile)}>
        Profile
      </MenuItem>
      {hasSessions && (
        <MenuItem icon={CalendarDays} onSelect={() => void navigate(paths.sessions)}>
          Sessions
        </MenuItem>
      )}
      {hasSessions && (
        <MenuItem icon={Hourglass} onSelect={() => void navigate(paths.hours)}>
          Hours
        </MenuItem>
      )}
      {hasSessions && (
        <MenuItem icon={Receipt} onSelect={() => void navigate(paths.orders)}>
          Orders
        </MenuItem>
      )}
      <MenuItem icon={BadgeCheck} onSelect={() => void navigate(paths.plan)}>
        Plan
      </MenuItem>
      {guru && (
        <MenuItem icon={Store} onSelect={() => void navigate(paths.guru)}>
          My site
        </MenuItem>
      )}
      <MenuItem icon={LogOut} onSelect={() => void leave()}>
        Sign Out
      </MenuItem>
    </Menu>
  );
}
