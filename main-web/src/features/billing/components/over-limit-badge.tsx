import { Badge } from "@/components/ui/badge";

/** Marks something that exceeds the user's plan: it is kept, and others don't see it. */
export function OverLimitBadge() {
  return <Badge tone="warning">Hidden: over your plan's limit</Badge>;
}
