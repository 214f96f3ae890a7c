import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { BlockLink } from "@/components/ui/block-link";
import styles from "../../components/angels.module.css";
import type { Need } from "../lib/types";
import { NeedFacts, StatusBadge } from "./need-summary";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

/** A need in a list; the whole card is a link. */
export function NeedCard({ need, level: Heading = "h2" }: { need: Need; level?: "h2" | "h3" }) {
  return (
    <Card as="li" interactive className={styles.card}>
      <div className={styles.buttons}>
        {need.mine ? <StatusBadge status={need.status} /> : <Badge>{need.serviceTitle}</Badge>}
        {need.asksMe && <Badge tone="warning">Sent to you</Badge>}
        {need.mine && need.status === "open" && need.offers > 0 && (
          <Badge tone="warning">
            {need.offers} {need.offers === 1 ? "offer" : "offers"}
          </Badge>
        )}
      </div>
      <Heading className={styles.name}>
        <BlockLink>
          <Link to={paths.need.replace(":need", need.id)}>{need.title}</Link>
        </BlockLink>
      </Heading>
      <NeedFacts need={need} />
      <p className={styles.byline}>
        {!need.mine && <Avatar name={need.neighbour?.name ?? "A neighbor"} src={need.neighbour?.photoURL} size="sm" />}
        <span>
          {need.mine ? need.serviceTitle : (need.neighbour?.name ?? "A neighbor")} ·{" "}
          {formatRelativeTime(need.createdAt)}
          {!need.mine &&
            ` · ${need.offers === 0 ? "no offers yet" : need.offers === 1 ? "1 offer" : `${need.offers} offers`}`}
        </span>
      </p>
    </Card>
  );
}
