import { TicketCheck } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { NextCard } from "@/components/dashboard/next-card";
import { paths } from "@/config/paths";
import { MessageLink } from "@/features/messages/contract";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useGuruFace } from "@/lib/use-guru-face";
import type { Booking } from "../lib/own-booking";
import { hasPass, meetingPlace, placeLabel } from "../lib/session-texts";
import { SessionTime } from "./session-time";

/** The next session that the user booked, with its guru's face. */
export function NextSessionCard({ booking }: { booking: Booking }) {
  const { id, guruName, guruLabel, serviceName, proposal, waiverDue } = booking;
  const face = useGuruFace(guruLabel);
  const address = meetingPlace(booking);
  const label = placeLabel(booking, address);
  return (
    <NextCard
      name={guruName}
      photo={face}
      title={`${serviceName} with ${guruName}`}
      time={<SessionTime booking={booking} />}
      place={address === "" ? label : `${label}: ${address}`}
      badges={
        (proposal !== null || waiverDue) && (
          <>
            {proposal && <Badge tone="warning">New time proposed</Badge>}
            {waiverDue && <Badge tone="warning">Waiver due</Badge>}
          </>
        )
      }
    >
      <Button asChild size="sm">
        <Link to={generatePath(paths.session, { id })}>See details</Link>
      </Button>
      {hasPass(booking) && (
        <Button asChild variant="secondary" size="sm">
          <Link to={generatePath(paths.pass, { id })}>
            <TicketCheck size={16} aria-hidden="true" /> Show pass
          </Link>
        </Button>
      )}
      <MessageLink to={{ kind: "booking", id }} name={guruName} isWholeName variant="ghost" />
    </NextCard>
  );
}
