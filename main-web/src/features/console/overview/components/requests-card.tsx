import { CalendarClock } from "lucide-react";
import { Link } from "react-router-dom";
import { BlockRow } from "@/components/dashboard/block";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import { useMyGuru } from "../../api/get-my-guru";
import { useBookingsOverview } from "../api/get-bookings-overview";
import { pluralize } from "@porchlight/shared/format/numbers";

/** A dashboard card: requests for sessions that wait for the guru's answer. Nothing without one. */
export function RequestsCard() {
  const isGuru = Boolean(useMyGuru().data);
  const overview = useBookingsOverview(isGuru);
  if (!isGuru) return null;
  if (!overview.data) return <LoadNotice what="your requests" queries={[overview]} />;
  const { requests } = overview.data;
  if (requests === 0) return null;
  return (
    <BlockRow
      icon={CalendarClock}
      title={`${pluralize(requests, "request")} for a session`}
      text={`${requests === 1 ? "It waits" : "They wait"} for your answer.`}
      action={
        <Button asChild size="sm">
          <Link to={paths.guru}>Answer requests</Link>
        </Button>
      }
    />
  );
}
