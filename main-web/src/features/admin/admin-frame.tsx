import { useQuery } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { Navigate, NavLink, Outlet } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Splash } from "../../ui/splash";
import styles from "./admin-frame.module.css";
import { pingQuery } from "./get-ping";
import { useLogout } from "./post-logout";

const AREAS = [
  { to: paths.admin, label: "Dashboard" },
  { to: paths.adminSites, label: "Guru sites" },
  { to: paths.adminRisks, label: "Risk reviews" },
  { to: paths.adminAudit, label: "Audit log" },
];

/** The admin area: staff only, or else to the login (SPEC 2.12, 4 "Admin guard"). */
export function AdminFrame() {
  const ping = useQuery(pingQuery);
  const logout = useLogout();
  if (ping.isError) return <Navigate to={paths.adminLogin} replace />;
  if (ping.isPending) return <Splash />;
  return (
    <div className={`container ${styles.frame}`}>
      <header className={styles.header}>
        <h1 className={styles.title}>Admin Dashboard</h1>
        <nav className={styles.areas} aria-label="Admin">
          {AREAS.map(({ to, label }) => (
            <NavLink key={to} to={to} end className={styles.area}>
              {label}
            </NavLink>
          ))}
        </nav>
        <Button variant="secondary" size="sm" loading={logout.isPending} onClick={() => logout.mutate()}>
          {!logout.isPending && <LogOut size={15} aria-hidden="true" />}
          Logout
        </Button>
      </header>
      <Outlet />
    </div>
  );
}
