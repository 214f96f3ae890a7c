import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Badge } from "../../ui/badge";
import { Card } from "../../ui/card";
import { formatAgo } from "../../ui/format-date";
import { WholeLink } from "../../ui/whole-link";
import styles from "./angels.module.css";
import type { Need } from "./get-needs";
import { NeedFacts, StatusBadge } from "./need-summary";

/** A need in a list; the whole card leads to it. */
export function NeedCard({ need }: { need: Need }) {
  return (
    <Card as="li" interactive className={styles.card}>
      <div className={styles.buttons}>
        {need.mine ? <StatusBadge status={need.status} /> : <Badge>{need.serviceTitle}</Badge>}
        {need.asksMe && <Badge tone="lamp">Asks you</Badge>}
        {need.mine && need.status === "open" && need.offers > 0 && (
          <Badge tone="lamp">
            {need.offers} {need.offers === 1 ? "offer" : "offers"}
          </Badge>
        )}
      </div>
      <h2 className={styles.name}>
        <WholeLink>
          <Link to={paths.need.replace(":need", need.id)}>{need.title}</Link>
        </WholeLink>
      </h2>
      <NeedFacts need={need} />
      <p className={styles.hint}>
        {need.mine ? need.serviceTitle : (need.neighbour?.name ?? "A neighbor")} · {formatAgo(need.createdAt)}
        {!need.mine && ` · ${need.offers === 0 ? "no offers yet" : need.offers === 1 ? "1 offer" : `${need.offers} offers`}`}
      </p>
    </Card>
  );
}
