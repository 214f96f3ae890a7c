import { shownStats } from "../display/limits";
import type { Stats } from "./types";

export function StatsList({ stats }: { stats: Stats }) {
  const shown = shownStats(stats);
  if (shown.length === 0) return null;
  return (
    <dl className="stats">
      {shown.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
