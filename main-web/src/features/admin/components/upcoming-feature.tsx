import { Hourglass } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/state";

/** The content of a tab while its feature flag is off (SPEC 2.12). */
export function UpcomingFeature({ feature }: { feature: string }) {
  return (
    <EmptyState icon={Hourglass} title={`${feature} will be available in a future release.`}>
      <Badge tone="warning">Coming Soon</Badge>
    </EmptyState>
  );
}
