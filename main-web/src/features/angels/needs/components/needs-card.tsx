import { HandHelping } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadNotice } from "@/components/ui/load-notice";
import styles from "../../components/angels.module.css";
import { useOwnNeeds } from "../api/get-own-needs";

/** A dashboard card: needs with offers to choose from, and jobs to complete. */
export function NeedsCard() {
  const own = useOwnNeeds();
  const needs = own.data?.pages[0]?.needs ?? [];
  const waiting = needs.filter((need) => (need.status === "open" && need.offers > 0) || need.status === "accepted");
  if (!own.data) return <LoadNotice what="your needs" queries={[own]} />;
  return waiting.slice(0, 3).map((need) => (
    <Card key={need.id} className={styles.todo}>
      <HandHelping size={22} aria-hidden="true" />
      <div>
        <h3 className={styles.name}>{need.title}</h3>
        <p className={styles.hint}>
          {need.status === "accepted"
            ? "Is it done? Leave a review."
            : `You have ${need.offers === 1 ? "1 offer" : `${need.offers} offers`} to choose from.`}
        </p>
      </div>
      <Button asChild variant="secondary" size="sm">
        <Link to={paths.need.replace(":need", need.id)}>
          {need.status === "accepted" ? "Write a review" : "See offers"}
        </Link>
      </Button>
    </Card>
  ));
}
