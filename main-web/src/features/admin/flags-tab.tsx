import { Badge } from "../../ui/badge";
import styles from "./flags-tab.module.css";
import { useStaffFlags } from "./get-flags";

/** "userProfiles" as "user Profiles", with its first letter raised. */
export function splitCamelCase(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Every flag and whether it is on; read-only (SPEC 2.12). Nothing is shown when loading fails (SPEC 8.4). */
export function FlagsTab() {
  const flags = useStaffFlags();
  if (flags.isPending) return <p role="status">Loading feature flags...</p>;
  if (!flags.data) return null;
  return (
    <ul className={styles.list}>
      {flags.data.map(([name, enabled]) => (
        <li key={name} className={styles.flag}>
          <span>{splitCamelCase(name)}</span>
          <Badge tone={enabled ? "green" : "neutral"}>{enabled ? "Enabled" : "Disabled"}</Badge>
        </li>
      ))}
    </ul>
  );
}
