import { HandHelping } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { BlockLink } from "@/components/ui/block-link";
import { Card } from "@/components/ui/card";
import type { HomeNeeds } from "../api/get-home";
import styles from "./wanted-help.module.css";
import { formatDateRange, isoDateFromToday } from "@porchlight/shared/format/dates";

/** What neighbors need soon: how many, what and where; nothing while no one needs anything. */
export function WantedHelp({ needs }: { needs: readonly HomeNeeds[] }) {
  if (needs.length === 0) return null;
  return (
    <div className={styles.help}>
      <h3 className={styles.title} id="wanted-help">
        What neighbors need
      </h3>
      <ul className={styles.list} aria-labelledby="wanted-help">
        {needs.map(({ serviceId, service, city, needs: count, wantedFrom }) => (
          <Card as="li" interactive key={`${serviceId}/${city}`} className={styles.card}>
            <HandHelping size={20} aria-hidden="true" />
            <div className={styles.text}>
              <h4 className={styles.name}>
                <BlockLink>
                  <Link to={`${paths.needs}?service=${encodeURIComponent(serviceId)}`}>{service}</Link>
                </BlockLink>
              </h4>
              <p className={styles.meta}>
                {count === 1 ? "1 neighbor" : `${count} neighbors`} in {city} · {dayText(wantedFrom)}
              </p>
            </div>
          </Card>
        ))}
      </ul>
    </div>
  );
}

/** "tonight" for what is wanted today or since earlier days, else "from Tue, Dec 1 on". */
function dayText(wantedFrom: string): string {
  return wantedFrom <= isoDateFromToday(0) ? "tonight" : `from ${formatDateRange(wantedFrom, wantedFrom)}`;
}
