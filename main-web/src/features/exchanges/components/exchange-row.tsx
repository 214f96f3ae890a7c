import { CalendarClock } from "lucide-react";
import { memo } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { BlockLink } from "@/components/ui/block-link";
import { ListRow } from "@/components/ui/list-row";
import { roleText, skillName, statusBadge, timeText } from "../lib/exchange-texts";
import { MODES, timeStateText } from "../lib/hours";
import type { Exchange } from "../lib/types";

/** An exchange in a list: what, with whom, when, and its state. */
export const ExchangeRow = memo(function ExchangeRow({ exchange }: { exchange: Exchange }) {
  const { label, tone } = statusBadge(exchange);
  const state = timeStateText(exchange);
  const times =
    exchange.startsAt && exchange.endsAt
      ? [{ startsAt: exchange.startsAt, endsAt: exchange.endsAt }]
      : exchange.proposals;
  return (
    <ListRow
      face={<Avatar name={exchange.neighbor.name} src={exchange.neighbor.photoUrl} size="lg" />}
      heading={
        <h2>
          <BlockLink>
            <Link to={generatePath(paths.exchange, { id: exchange.id })}>{skillName(exchange)}</Link>
          </BlockLink>
        </h2>
      }
      badges={
        <>
          <Badge tone={tone}>{label}</Badge>
          <Badge>Neighbors</Badge>
          <Badge>{MODES[exchange.mode]}</Badge>
          {exchange.waiverDue && <Badge tone="warning">Waiver due</Badge>}
        </>
      }
      facts={times.map(({ startsAt, endsAt }, index) => ({
        label: `Time ${index + 1}`,
        value: <time dateTime={startsAt}>{timeText(startsAt, endsAt, exchange).time}</time>,
        icon: <CalendarClock size={15} aria-hidden="true" />,
      }))}
    >
      <p>{roleText(exchange)}</p>
      {state && <p>{state}</p>}
    </ListRow>
  );
});
