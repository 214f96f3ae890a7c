import { Hourglass } from "lucide-react";
import { Badge } from "../../ui/badge";
import { EmptyState } from "../../ui/state";

/** What stands in a tab while the flag that governs it is off (SPEC 2.12). */
export function FutureNote({ what }: { what: string }) {
  return (
    <EmptyState icon={Hourglass} title={`${what} will be available in a future release.`}>
      <Badge tone="lamp">Coming Soon</Badge>
    </EmptyState>
  );
}
