import { CalendarClock } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadNotice } from "@/components/ui/load-notice";
import { useOwnBookings } from "../api/get-own-bookings";
import { SessionTime } from "./session-time";
import styles from "./sessions.module.css";

/** A dashboard card: the user's next session. */
export function NextSessionCard() {
  const upcoming = useOwnBookings("upcoming");
  const next = upcoming.data?.pages[0]?.bookings[0];
  if (!upcoming.data) return <LoadNotice what="your sessions" queries={[upcoming]} />;
  if (!next) return null;
  return (
    <Card className={styles.next}>
      <CalendarClock size={22} aria-hidden="true" />
      <div>
        <h3 className={styles.name}>
          Your next session: {next.serviceName} with {next.guruName}
        </h3>
        <p className={styles.soft}>
          <SessionTime booking={next} />
        </p>
        {next.proposal && <Badge tone="warning">New time proposed</Badge>}
      </div>
      <Button asChild variant="secondary" size="sm">
        <Link to={generatePath(paths.session, { id: next.id })}>See details</Link>
      </Button>
      <Button asChild variant="ghost" size="sm">
        <Link to={paths.sessions}>All sessions</Link>
      </Button>
    </Card>
  );
}
