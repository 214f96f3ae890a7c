import { Check, Circle, ExternalLink } from "lucide-react";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Notice } from "../../ui/notice";
import { dueWords } from "./due-words";
import { underReview } from "./get-connection";
import { isWhole, type Connection } from "./own";
import styles from "./payouts.module.css";
import { useExpressLogin } from "./post-express-login";
import { useStart } from "./post-start";

const ROWS = [
  ["details_submitted", "Your details are with Stripe"],
  ["charges_enabled", "Customers can pay you"],
  ["payouts_enabled", "Stripe can pay you out"],
] as const;

/** How the connection stands, what is still asked for, and the way to Stripe. */
export function ConnectionCard({ connection }: { connection: Connection }) {
  const start = useStart();
  const login = useExpressLogin();
  const whole = isWhole(connection);
  const due = dueWords(connection.currently_due);
  return (
    <Card as="section" padding="lg" className={styles.card} aria-labelledby="connection-heading">
      <div className={styles.head}>
        <h2 id="connection-heading" className={styles.heading}>
          Stripe
        </h2>
        <State connection={connection} />
      </div>
      <p className={styles.soft}>
        {whole
          ? "Your payout method is connected. Stripe sends what you earn to your bank account."
          : "We pay you through Stripe. It asks who you are and where your money should go; we never see your bank account."}
      </p>
      <ul className={styles.rows}>
        {ROWS.map(([name, words]) => (
          <li key={name} className={styles.row}>
            {connection[name] ? (
              <Check size={18} aria-hidden="true" className={styles.tick} />
            ) : (
              <Circle size={18} aria-hidden="true" className={styles.circle} />
            )}
            {words}
            <span className="visually-hidden">{connection[name] ? ": yes" : ": not yet"}</span>
          </li>
        ))}
      </ul>
      {connection.connected && due.length > 0 && (
        <div className={styles.due}>
          <h3 className={styles.dueHeading}>Stripe still needs</h3>
          <ul>
            {due.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </div>
      )}
      {underReview(connection) && (
        <Notice>Stripe is looking at your details. That takes a moment; this page notices by itself.</Notice>
      )}
      {start.isError && <Notice tone="danger">{start.error.message}</Notice>}
      {login.isError && <Notice tone="danger">Could not open the Stripe dashboard. Please try again.</Notice>}
      <div className={styles.foot}>
        {!whole && !underReview(connection) && (
          <Button loading={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
            {connection.connected ? "Continue with Stripe" : "Connect with Stripe"}
          </Button>
        )}
        {connection.details_submitted && (
          <Button variant="secondary" loading={login.isPending} onClick={() => login.mutate()}>
            Open Stripe dashboard
            <span className="visually-hidden"> (opens in a new tab)</span>
            <ExternalLink size={15} aria-hidden="true" />
          </Button>
        )}
      </div>
    </Card>
  );
}

function State({ connection }: { connection: Connection }) {
  if (isWhole(connection)) return <Badge tone="green">Connected</Badge>;
  if (connection.connected) return <Badge tone="lamp">Not complete</Badge>;
  return <Badge>Not connected</Badge>;
}
