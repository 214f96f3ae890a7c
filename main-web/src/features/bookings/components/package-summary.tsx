import { CalendarClock, Ticket, Wallet } from "lucide-react";
import { GuruAvatar } from "@/components/guru-avatar";
import { Card } from "@/components/ui/card";
import { contentText, perSessionText, type SoldPackage } from "../lib/package-texts";
import styles from "./book-page.module.css";
import { formatCents } from "@porchlight/shared/format/money";

type PackageSummaryProps = {
  guruLabel: string;
  guruName: string;
  item: Pick<SoldPackage, "name" | "sessions" | "serviceName" | "days" | "priceCents">;
  /** Until when it can be used, such as "Until Mar 1, 2027"; the number of days by default. */
  until?: string;
};

/** What a package consists of: from whom, how many sessions of what, for how long and for how much. */
export function PackageSummary({ guruLabel, guruName, item, until }: PackageSummaryProps) {
  return (
    <Card as="section" className={styles.step} aria-label="What you get">
      <div className={styles.packageHead}>
        <GuruAvatar label={guruLabel} name={guruName} size="lg" />
        <div>
          <p className={styles.packageName}>
            <bdi>{item.name}</bdi>
          </p>
          <p className={styles.soft}>
            with <bdi>{guruName}</bdi>
          </p>
        </div>
      </div>
      <dl className={styles.facts}>
        <div>
          <Ticket size={20} aria-hidden="true" />
          <dt className="visually-hidden">Sessions</dt>
          <dd>{contentText(item)}</dd>
        </div>
        <div>
          <CalendarClock size={20} aria-hidden="true" />
          <dt className="visually-hidden">How long</dt>
          <dd>{until ?? `Within ${item.days} days of your payment`}</dd>
        </div>
        <div>
          <Wallet size={20} aria-hidden="true" />
          <dt className="visually-hidden">Price</dt>
          <dd>
            <strong>{formatCents(item.priceCents)}</strong>
            <span className={styles.soft}>{perSessionText(item)}</span>
          </dd>
        </div>
      </dl>
    </Card>
  );
}
