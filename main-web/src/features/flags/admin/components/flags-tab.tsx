import { Badge } from "@/components/ui/badge";
import styles from "./flags-tab.module.css";
import { useAdminFlags } from "../api/get-flags";

/** Return "userProfiles" as "User Profiles", and "aiRecommendations" as "AI Recommendations". */
export function splitCamelCase(name: string): string {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/^ai\b/, "AI");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Every feature flag and its state; read-only (SPEC 2.12). Shows nothing when loading fails (SPEC 8.4). */
export function FlagsTab() {
  const flags = useAdminFlags();
  if (flags.isPending) return <p role="status">Loading feature flags...</p>;
  if (!flags.data) return null;
  return (
    <ul className={styles.list}>
      {flags.data.map(({ name, enabled, isRead }) => (
        <li key={name} className={styles.flag}>
          <span>{splitCamelCase(name)}</span>
          {isRead ? (
            <Badge tone={enabled ? "good" : "neutral"}>{enabled ? "Enabled" : "Disabled"}</Badge>
          ) : (
            <Badge>Not built</Badge>
          )}
        </li>
      ))}
    </ul>
  );
}
