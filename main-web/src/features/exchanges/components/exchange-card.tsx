import { CalendarClock } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { BlockLink } from "@/components/ui/block-link";
import { Card } from "@/components/ui/card";
import { roleText, skillName, statusBadge, timeText } from "../lib/exchange-texts";
import type { Exchange } from "../lib/types";
import styles from "./exchanges.module.css";

/** An exchange in a list: what, with whom, when, and its state. */
export function ExchangeCard({ exchange }: { exchange: Exchange }) {
  const { label, tone } = statusBadge(exchange);
  const times =
    exchange.startsAt && exchange.endsAt
      ? [{ startsAt: exchange.startsAt, endsAt: exchange.endsAt }]
      : exchange.proposals;
  return (
    <Card as="li" interactive className={styles.card}>
      <div className={styles.row}>
        <h2 className={styles.name}>
          <BlockLink>
            <Link to={generatePath(paths.exchange, { id: exchange.id })}>{skillName(exchange)}</Link>
          </BlockLink>
        </h2>
        <Badge tone={tone}>{label}</Badge>
        <Badge>Neighbors</Badge>
        {exchange.waiverDue && <Badge tone="warning">Waiver due</Badge>}
      </div>
      <p className={styles.soft}>{roleText(exchange)}</p>
      {times.map(({ startsAt, endsAt }) => (
        <p key={startsAt} className={styles.fact}>
          <CalendarClock size={18} aria-hidden="true" />
          <time dateTime={startsAt}>{timeText(startsAt, endsAt, exchange).time}</time>
        </p>
      ))}
    </Card>
  );
}
