import { Store } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import styles from "./console.module.css";
import { useMyGuru } from "./get-my-guru";
import { counted, spoken } from "./words";

/** On the dashboard of a guru: their site, and whether somebody waits for an answer. */
export function SiteCard() {
  const guru = useMyGuru().data;
  if (!guru) return null;
  const { newLeads, status } = guru;
  const said =
    status === "suspended"
      ? "It has been taken down by our staff."
      : status === "unpublished"
        ? "It is not published yet."
        : newLeads > 0
          ? `${counted(newLeads, "new lead")} ${newLeads === 1 ? "waits" : "wait"} for an answer.`
          : "No new leads.";
  return (
    <Card className={styles.address}>
      <Store size={22} aria-hidden="true" />
      <div className={styles.words}>
        <h3 className={styles.name}>Your site</h3>
        <p className={styles.text}>
          {spoken(guru.address)} · {said}
        </p>
      </div>
      <div className={styles.buttons}>
        {newLeads > 0 && (
          <Button asChild size="sm">
            <Link to={`${paths.guruLeads}?status=new`}>Read them</Link>
          </Button>
        )}
        <Button asChild variant="secondary" size="sm">
          <Link to={paths.guru}>Manage site</Link>
        </Button>
      </div>
    </Card>
  );
}
