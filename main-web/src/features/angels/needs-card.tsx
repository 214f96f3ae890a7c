import { HandHelping } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import styles from "./angels.module.css";
import { useOwnNeeds } from "./get-needs";

/** On the dashboard: needs with offers that wait for a choice, and work that waits for a word. */
export function NeedsCard() {
  const needs = useOwnNeeds().data?.pages[0]?.needs ?? [];
  const waiting = needs.filter((need) => (need.status === "open" && need.offers > 0) || need.status === "accepted");
  return waiting.slice(0, 3).map((need) => (
    <Card key={need.id} className={styles.todo}>
      <HandHelping size={22} aria-hidden="true" />
      <div>
        <h3 className={styles.name}>{need.title}</h3>
        <p className={styles.hint}>
          {need.status === "accepted"
            ? "Done already? Your rating helps the next neighbor."
            : `${need.offers === 1 ? "1 offer waits" : `${need.offers} offers wait`} for your choice.`}
        </p>
      </div>
      <Button asChild variant="secondary" size="sm">
        <Link to={paths.need.replace(":need", need.id)}>{need.status === "accepted" ? "Say how it went" : "See offers"}</Link>
      </Button>
    </Card>
  ));
}
