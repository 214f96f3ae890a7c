import { useQuery } from "@tanstack/react-query";
import { LayoutDashboard, ListRestart, LogOut, ScrollText, Star, Store, TriangleAlert, Wallet } from "lucide-react";
import { Navigate, Outlet, useLocation } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Splash } from "@/components/ui/splash";
import { Workspace, type Section } from "@/components/layout/workspace";
import styles from "./admin-layout.module.css";
import { pingQuery } from "../session/api/get-ping";
import { useLogOut } from "../session/api/log-out";

const SECTIONS: Section[] = [
  { to: paths.admin, icon: LayoutDashboard, label: "Dashboard" },
  { to: paths.adminSites, icon: Store, label: "Guru sites" },
  { to: paths.adminRisks, icon: TriangleAlert, label: "Risk reviews" },
  { to: paths.adminReviews, icon: Star, label: "Reviews" },
  { to: paths.adminMoney, icon: Wallet, label: "Money" },
  { to: paths.adminJobs, icon: ListRestart, label: "Failed jobs" },
  { to: paths.adminAudit, icon: ScrollText, label: "Audit log" },
];

/** The layout of the admin area; redirects to the login without a staff session (SPEC 2.12, 4 "Admin guard"). */
export function AdminLayout() {
  const ping = useQuery(pingQuery);
  const logout = useLogOut();
  const { pathname } = useLocation();
  const title = SECTIONS.find(({ to }) => to !== paths.admin && pathname.startsWith(to))?.label ?? "Admin Dashboard";
  if (ping.isError) return <Navigate to={paths.adminLogin} replace />;
  if (ping.isPending) return <Splash />;
  return (
    <Workspace label="Admin" sections={SECTIONS}>
      <header className={styles.header}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.staff}>{ping.data.shared ? "Shared key" : ping.data.name}</p>
        <Button variant="secondary" size="sm" loading={logout.isPending} onClick={() => logout.mutate()}>
          {!logout.isPending && <LogOut size={15} aria-hidden="true" />}
          Logout
        </Button>
      </header>
      <div>
        <Outlet />
      </div>
    </Workspace>
  );
}
