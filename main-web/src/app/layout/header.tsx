import { Menu as MenuIcon, X } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import { Link, NavLink } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { useSession } from "@/lib/session/session-context";
import { usePageMenu } from "@/lib/use-page-menu";
import { Button } from "@/components/ui/button";
import { Logo } from "@/components/ui/logo";
import { cx } from "@/lib/cx";
import { paths } from "@/config/paths";
import { HeaderSearch } from "./header-search";
import styles from "./header.module.css";

// The menu loads Radix's positioning code; signed-out visitors do not need it.
const UserCorner = lazy(async () => ({ default: (await import("./user-corner")).UserCorner }));

const LINKS = [
  { to: paths.home, label: "Home" },
  { to: paths.angelsList, label: "Angel's List" },
  { to: paths.skills, label: "SkillShare" },
];

/** The sticky header: brand, main links and the user menu. At 768px and below a toggle opens the links. */
export function Header() {
  const session = useSession();
  const hasSessions = useFlag("booking");
  const { open, button, flip } = usePageMenu();
  const panel = useId();
  const links = session.status === "signed-in" ? [...LINKS, { to: paths.dashboard, label: "Dashboard" }] : LINKS;

  return (
    <header className={styles.header}>
      <div className={`container ${styles.bar}`}>
        <Link to={paths.home} className={styles.brand}>
          <Logo />
          <span>Porchlight</span>
        </Link>

        <nav className={styles.nav} aria-label="Main">
          {links.map((link) => (
            <NavLink key={link.to} to={link.to} end={link.to === paths.home} className={cx(styles.link)}>
              {link.label}
            </NavLink>
          ))}
        </nav>

        <div className={styles.corner}>
          <HeaderSearch />
          {session.status === "signed-in" ? (
            <Suspense fallback={<span className={styles.menuSpace} />}>
              <UserCorner user={session.user} />
            </Suspense>
          ) : (
            <div className={styles.signs}>
              <Button asChild variant="ghost" size="sm">
                <Link to={paths.login}>Sign In</Link>
              </Button>
              <Button asChild size="sm">
                <Link to={paths.signup}>Sign Up</Link>
              </Button>
            </div>
          )}
          <button
            ref={button}
            type="button"
            className={styles.toggle}
            aria-expanded={open}
            aria-controls={panel}
            aria-label={open ? "Close menu" : "Open menu"}
            onClick={flip}
          >
            {open ? <X aria-hidden="true" /> : <MenuIcon aria-hidden="true" />}
          </button>
        </div>
      </div>

      <nav id={panel} className={styles.panel} aria-label="Main, small screen" hidden={!open}>
        <div className={`container ${styles.panelLinks}`}>
          {links.map((link) => (
            <NavLink key={link.to} to={link.to} end={link.to === paths.home} className={cx(styles.panelLink)}>
              {link.label}
            </NavLink>
          ))}
          {session.status === "signed-in" && hasSessions && (
            <NavLink to={paths.sessions} className={cx(styles.panelLink)}>
              Sessions
            </NavLink>
          )}
          {session.status !== "signed-in" && (
            <div className={styles.panelSigns}>
              <Button asChild variant="secondary">
                <Link to={paths.login}>Sign In</Link>
              </Button>
              <Button asChild>
                <Link to={paths.signup}>Sign Up</Link>
              </Button>
            </div>
          )}
        </div>
      </nav>
    </header>
  );
}
