import { Menu, X, type LucideIcon } from "lucide-react";
import { useId, type ReactNode } from "react";
import { matchPath, NavLink, useLocation } from "react-router-dom";
import { cx } from "@/lib/cx";
import { usePageMenu } from "@/lib/use-page-menu";
import type { Path } from "@/config/paths";
import styles from "./workspace.module.css";

export type Section = {
  to: Path;
  icon: LucideIcon;
  label: string;
  /** How many things wait there, and what they are: "new", "waiting". */
  count?: { value: number; of: string };
};

type WorkspaceProps = { label: string; sections: Section[]; head?: ReactNode; foot?: ReactNode; children: ReactNode };

/**
 * The frame of a place of work: a rail of sections beside the content, and on a narrow screen a menu above it. The first
 * section is the start page.
 */
export function Workspace({ label, sections, head, foot, children }: WorkspaceProps) {
  const { pathname } = useLocation();
  const { open, button, flip } = usePageMenu();
  const panel = useId();
  const current = sections.find(({ to }, index) => matchPath({ path: to, end: index === 0 }, pathname));

  return (
    <div className={styles.frame}>
      <div className={styles.rail}>
        {head}
        <button
          ref={button}
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-controls={panel}
          onClick={flip}
        >
          {open ? <X size={18} aria-hidden="true" /> : <Menu size={18} aria-hidden="true" />}
          Menu {current && <span className={styles.current}>{current.label}</span>}
        </button>
        <div id={panel} className={cx(styles.panel, open && styles.open)}>
          <nav aria-label={label} className={styles.sections}>
            {sections.map(({ to, icon: Icon, label: name, count }, index) => (
              <NavLink key={to} to={to} end={index === 0} className={cx(styles.section)}>
                <Icon size={18} aria-hidden="true" />
                {name}{" "}
                {count && count.value > 0 && (
                  <span className={styles.count}>
                    {count.value > 99 ? "99+" : count.value}
                    <span className="visually-hidden"> {count.of}</span>
                  </span>
                )}
              </NavLink>
            ))}
          </nav>
          {foot}
        </div>
      </div>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
