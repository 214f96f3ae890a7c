import { generatePath, Link } from "react-router-dom";
import { NextCard } from "@/components/dashboard/next-card";
import { paths } from "@/config/paths";
import { MessageLink } from "@/features/messages/contract";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { placeText, roleText, skillName, timeText } from "../lib/exchange-texts";
import type { Exchange } from "../lib/types";

/** The next session with a neighbor, with their face. */
export function NextExchangeCard({ exchange }: { exchange: Exchange }) {
  const { id, neighbor, startsAt, endsAt, place, side, waiverDue } = exchange;
  if (startsAt === null || endsAt === null) return null;
  return (
    <NextCard
      name={neighbor.name}
      photo={neighbor.photoUrl}
      title={`${skillName(exchange)}: ${roleText(exchange)}`}
      time={<time dateTime={startsAt}>{timeText(startsAt, endsAt, exchange).time}</time>}
      place={placeText(place, side, neighbor.name)}
      badges={waiverDue && <Badge tone="warning">Waiver due</Badge>}
    >
      <Button asChild size="sm">
        <Link to={generatePath(paths.exchange, { id })}>See details</Link>
      </Button>
      {neighbor.handle !== null && (
        <MessageLink to={{ kind: "profile", id: neighbor.handle }} name={neighbor.name} variant="ghost" />
      )}
    </NextCard>
  );
}
