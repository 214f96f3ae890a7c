import { lazy, Suspense } from "react";
import { Link } from "react-router-dom";
import { useSession } from "@/lib/session/session-context";
import { Logo } from "@/components/ui/logo";
import { paths } from "@/config/paths";
import styles from "./header.module.css";

const UserCorner = lazy(async () => ({ default: (await import("./user-corner")).UserCorner }));

/** The areas that are places of work: the guru's console and, once signed in, the admin area. */
export function workspaceOf(pathname: string): "guru" | "admin" | null {
  if (pathname === paths.adminLogin) return null;
  const area = /^\/(guru|admin)(?:\/|$)/.exec(pathname)?.[1];
  return area === "guru" || area === "admin" ? area : null;
}

/** The header of a place of work: the way home and, for gurus, their account. Staff have theirs in the admin area. */
export function WorkspaceHeader({ area }: { area: "guru" | "admin" }) {
  const session = useSession();
  return (
    <header className={styles.header}>
      <div className={`${styles.bar} ${styles.wideBar}`}>
        <Link to={paths.home} className={styles.brand}>
          <Logo />
          <span>Porchlight</span>
        </Link>
        {area === "guru" && session.status === "signed-in" && (
          <div className={styles.corner}>
            <Link to={paths.dashboard} className={styles.link}>
              Dashboard
            </Link>
            <Suspense fallback={<span className={styles.menuSpace} />}>
              <UserCorner user={session.user} isConsole />
            </Suspense>
          </div>
        )}
      </div>
    </header>
  );
}
