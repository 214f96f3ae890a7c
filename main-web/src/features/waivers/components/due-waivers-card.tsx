import { FileSignature } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { BlockRow } from "@/components/dashboard/block";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import { useOwnWaivers } from "../api/get-waivers";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

/** A dashboard card: sessions that need a waiver. Nothing without one. */
export function DueWaiversCard() {
  const waivers = useOwnWaivers();
  if (!waivers.data) return <LoadNotice what="your waivers" queries={[waivers]} />;
  const [first, ...rest] = waivers.data.dueSessions;
  if (!first) return null;
  const more = rest.length > 0 && (
    <>
      {" "}
      <Link to={paths.waivers}>
        {rest.length}
        {waivers.data.moreDueSessions && " or more"} other {rest.length === 1 ? "session needs" : "sessions need"} one
        too.
      </Link>
    </>
  );
  return (
    <BlockRow
      icon={FileSignature}
      title={`Sign the waiver for ${first.serviceName}`}
      text={
        <>
          With {first.guruName}, {formatSessionStart(first.startsAt, first.zone)}.{more}
        </>
      }
      action={
        <Button asChild size="sm">
          <Link to={generatePath(paths.session, { id: first.bookingId })}>Sign</Link>
        </Button>
      }
    />
  );
}
