import { useQuery } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { Navigate, NavLink, Outlet } from "react-router-dom";
import { cx } from "@/lib/cx";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Splash } from "@/components/ui/splash";
import styles from "./admin-layout.module.css";
import { pingQuery } from "../session/api/get-ping";
import { useLogOut } from "../session/api/log-out";

const AREAS = [
  { to: paths.admin, label: "Dashboard" },
  { to: paths.adminSites, label: "Guru sites" },
  { to: paths.adminRisks, label: "Risk reviews" },
  { to: paths.adminAudit, label: "Audit log" },
];

/** The layout of the admin area; redirects to the login without a staff session (SPEC 2.12, 4 "Admin guard"). */
export function AdminLayout() {
  const ping = useQuery(pingQuery);
  const logout = useLogOut();
  if (ping.isError) return <Navigate to={paths.adminLogin} replace />;
  if (ping.isPending) return <Splash />;
  return (
    <div className={`container ${styles.frame}`}>
      <header className={styles.header}>
        <h1 className={styles.title}>Admin Dashboard</h1>
        <nav className={styles.areas} aria-label="Admin">
          {AREAS.map(({ to, label }) => (
            <NavLink key={to} to={to} end className={cx(styles.area)}>
              {label}
            </NavLink>
          ))}
        </nav>
        <p className={styles.staff}>{ping.data.shared ? "Shared key" : ping.data.name}</p>
        <Button variant="secondary" size="sm" loading={logout.isPending} onClick={() => logout.mutate()}>
          {!logout.isPending && <LogOut size={15} aria-hidden="true" />}
          Logout
        </Button>
      </header>
      <Outlet />
    </div>
  );
}
