import { Badge } from "@/components/ui/badge";

/** Marks neighbors and gurus with the plan Premium Angel in lists. */
export function PremiumBadge() {
  return <Badge tone="good">Premium</Badge>;
}
