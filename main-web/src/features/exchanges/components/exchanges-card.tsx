import { Handshake } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadNotice } from "@/components/ui/load-notice";
import { useExchangeCounts } from "../api/get-exchange-counts";
import styles from "./exchanges.module.css";

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** A dashboard card: how many sessions with neighbors are ahead, took place, or wait for an answer. */
export function ExchangesCard() {
  const counts = useExchangeCounts();
  if (!counts.data) return <LoadNotice what="your sessions with neighbors" queries={[counts]} />;
  const { upcoming, waiting, toAnswer, completed } = counts.data;
  if (upcoming + waiting + completed === 0) return null;
  return (
    <Card className={styles.next}>
      <Handshake size={22} aria-hidden="true" />
      <div>
        <h3 className={styles.name}>Exchange Sessions: {upcoming + completed}</h3>
        <p className={styles.soft}>
          {count(upcoming, "session is", "sessions are")} ahead, {completed} took place.
          {waiting > 0 && ` ${count(waiting, "request is", "requests are")} open.`}
        </p>
        {toAnswer > 0 && <p>{count(toAnswer, "request waits", "requests wait")} for your answer.</p>}
      </div>
      <Button asChild variant={toAnswer > 0 ? "primary" : "secondary"} size="sm">
        <Link to={toAnswer > 0 ? `${paths.sessions}?tab=waiting` : paths.sessions}>
          {toAnswer > 0 ? "Answer" : "See sessions"}
        </Link>
      </Button>
    </Card>
  );
}
