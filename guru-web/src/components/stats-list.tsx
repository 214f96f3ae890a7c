import { visibleStats } from "../lib/display-rules";
import type { Stats } from "../lib/types";

export function StatsList({ stats }: { stats: Stats }) {
  const visible = visibleStats(stats);
  if (visible.length === 0) return null;
  return (
    <dl className="stats">
      {visible.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
