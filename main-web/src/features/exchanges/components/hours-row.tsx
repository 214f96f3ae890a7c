import { ArrowDownLeft, ArrowUpRight, CalendarClock } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { BlockLink } from "@/components/ui/block-link";
import { ListRow, RowTile } from "@/components/ui/list-row";
import { insideName } from "../lib/exchange-texts";
import { formatHours } from "../lib/hours";
import type { HoursLine } from "../lib/types";
import styles from "./exchanges.module.css";
import { formatDate } from "@porchlight/shared/format/dates";

/** A line of the statement: what, with whom, when, how much, and the balance after it. */
export function HoursRow({ line }: { line: HoursLine }) {
  const { at, description, exchangeId, skill, startsAt, neighbor, minutes, balanceAfter } = line;
  const Icon = minutes > 0 ? ArrowDownLeft : ArrowUpRight;
  const name = skill || (exchangeId === null ? description : "Session");
  return (
    <ListRow
      face={
        <RowTile>
          <Icon size={20} />
        </RowTile>
      }
      heading={
        <h3>
          {exchangeId === null ? (
            name
          ) : (
            <BlockLink>
              <Link to={generatePath(paths.exchange, { id: exchangeId })}>{name}</Link>
            </BlockLink>
          )}
        </h3>
      }
      facts={[
        {
          label: "When",
          value: <time dateTime={startsAt ?? at}>{formatDate(startsAt ?? at)}</time>,
          icon: <CalendarClock size={15} aria-hidden="true" />,
        },
      ]}
      action={
        <div className={styles.amount}>
          <strong>
            {minutes > 0 && "+"}
            {formatHours(minutes)}
          </strong>
          <span className={styles.soft}>Balance {formatHours(balanceAfter)}</span>
        </div>
      }
    >
      {exchangeId !== null && (
        <p>
          {description} {neighbor && `(${insideName(neighbor)})`}
        </p>
      )}
    </ListRow>
  );
}
