import { CalendarClock, Flag, type LucideIcon, Sparkles, Users } from "lucide-react";
import { Card } from "@/components/ui/card";
import { useDashboard } from "../api/get-dashboard";
import { Attention } from "./attention";
import styles from "./overview-tab.module.css";
import type { Dashboard } from "../../lib/types";
import { formatNumber } from "@porchlight/shared/format/numbers";

const COUNTERS: { name: keyof Dashboard; label: string; icon: LucideIcon }[] = [
  { name: "users", label: "Total Users", icon: Users },
  { name: "listings", label: "Skill Listings", icon: Sparkles },
  { name: "sessions", label: "Exchange Sessions", icon: CalendarClock },
  { name: "reports", label: "Reports", icon: Flag },
];

/** What waits and what ails, then four counters; each of these falls back to 0 (SPEC 2.12). */
export function OverviewTab() {
  const dashboard = useDashboard();
  return (
    <>
      <Attention />
      <div className={styles.grid} aria-busy={dashboard.isPending}>
        {COUNTERS.map(({ name, label, icon: Icon }) => (
          <Card key={name} className={styles.counter}>
            <Icon size={20} aria-hidden="true" />
            <p className={styles.label}>{label}</p>
            <p className={styles.number}>{formatNumber(dashboard.data?.[name].total ?? 0)}</p>
          </Card>
        ))}
      </div>
    </>
  );
}
