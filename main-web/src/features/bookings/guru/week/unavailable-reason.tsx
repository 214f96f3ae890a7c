import { useQuery } from "@tanstack/react-query";
import { Notice } from "@/components/ui/notice";
import { wallTimeOf } from "@/lib/wall-time";
import { startReasonQuery } from "@/features/hours/contract";

type UnavailableReasonProps = { serviceId: string; startsAt: string; zone: string };

/** Says why a service is not offered at a time. Shows nothing for one at which it is. */
export function UnavailableReason({ serviceId, startsAt, zone }: UnavailableReasonProps) {
  const found = useQuery(startReasonQuery({ serviceId, ...wallTimeOf(startsAt, zone) }));
  if (!found.data || found.data.offered) return null;
  return <Notice tone="warning">{found.data.sentence}</Notice>;
}
