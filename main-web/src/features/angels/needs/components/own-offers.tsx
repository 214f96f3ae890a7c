import { ListChecks } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { BlockLink } from "@/components/ui/block-link";
import { Card } from "@/components/ui/card";
import styles from "../../components/angels.module.css";
import { useOwnOffers } from "../api/get-own-offers";
import type { OwnOffer } from "../lib/types";
import { PagedList } from "./paged-list";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatMoney } from "@porchlight/shared/format/money";

const OUTCOME_LABELS: Record<OwnOffer["outcome"], { tone: "good" | "neutral" | "info"; label: string }> = {
  open: { tone: "info", label: "Waiting" },
  accepted: { tone: "good", label: "Accepted" },
  declined: { tone: "neutral", label: "Someone else was chosen" },
  closed: { tone: "neutral", label: "Closed" },
  withdrawn: { tone: "neutral", label: "Withdrawn" },
};

/** The offers that the user made, and what became of them. */
export function OwnOffers() {
  const own = useOwnOffers();
  const offers = own.data?.pages.flatMap((page) => page.offers) ?? [];
  return (
    <PagedList list={own} empty={offers.length === 0} icon={ListChecks} title="You haven't made any offers yet.">
      <ul className={styles.grid} aria-label="My offers">
        {offers.map((offer) => (
          <Card as="li" key={offer.id} interactive={offer.need !== null} className={styles.card}>
            <div className={styles.buttons}>
              <Badge tone={OUTCOME_LABELS[offer.outcome].tone}>{OUTCOME_LABELS[offer.outcome].label}</Badge>
            </div>
            <h2 className={styles.name}>
              {offer.need ? (
                <BlockLink>
                  <Link to={paths.need.replace(":need", offer.need.id)}>{offer.need.title}</Link>
                </BlockLink>
              ) : (
                "No longer available"
              )}
            </h2>
            <p className={styles.hint}>
              {formatMoney(offer.priceCents)} · {formatRelativeTime(offer.createdAt)}
            </p>
          </Card>
        ))}
      </ul>
    </PagedList>
  );
}
