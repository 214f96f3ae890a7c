import { CalendarClock, MapPin } from "lucide-react";
import { memo } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { GuruAvatar } from "@/components/guru-avatar";
import { Badge } from "@/components/ui/badge";
import { BlockLink } from "@/components/ui/block-link";
import { ListRow } from "@/components/ui/list-row";
import { TitleText } from "@/components/ui/title-text";
import { meetingPlace, placeLabel, statusBadge } from "../lib/session-texts";
import type { Booking } from "../lib/own-booking";
import { SessionTime } from "./session-time";

/** A session in a list: what, with whom, when, where, and its status. */
export const SessionRow = memo(function SessionRow({ booking }: { booking: Booking }) {
  const { label, tone } = statusBadge(booking);
  const address = meetingPlace(booking);
  return (
    <ListRow
      face={<GuruAvatar label={booking.guruLabel} name={booking.guruName} size="lg" />}
      heading={
        <h2>
          <BlockLink>
            <Link to={generatePath(paths.session, { id: booking.id })}>
              <TitleText>{booking.serviceName}</TitleText>
            </Link>
          </BlockLink>
        </h2>
      }
      badges={
        <>
          <Badge tone={tone}>{label}</Badge>
          {booking.seriesId !== null && <Badge>Series</Badge>}
          {booking.proposal && <Badge tone="warning">New time proposed</Badge>}
          {booking.waiverDue && <Badge tone="warning">Waiver due</Badge>}
        </>
      }
      facts={[
        {
          label: "Time",
          value: <SessionTime booking={booking} />,
          icon: <CalendarClock size={15} aria-hidden="true" />,
        },
        {
          label: "Place",
          value: booking.place === "agreed" && address !== "" ? address : placeLabel(booking, address),
          icon: <MapPin size={15} aria-hidden="true" />,
        },
      ]}
    >
      <p>{`with ${booking.guruName}`}</p>
    </ListRow>
  );
});
