import { Check, Circle, ExternalLink } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { requirementLabel } from "../lib/requirement-labels";
import { underReview } from "../api/get-connection";
import { isComplete, type Connection } from "../lib/types";
import styles from "./payouts.module.css";
import { useCreateExpressLogin } from "../api/create-express-login";
import { useStartConnection } from "../api/start-connection";

const ROWS = [
  ["details_submitted", "Details submitted"],
  ["charges_enabled", "Payments enabled"],
  ["payouts_enabled", "Payouts enabled"],
] as const;

/** The connection's status, open requirements, and the link to Stripe. */
export function ConnectionCard({ connection }: { connection: Connection }) {
  const start = useStartConnection();
  const login = useCreateExpressLogin();
  const isConnected = isComplete(connection);
  const dueLabels = requirementLabel(connection.currently_due);
  return (
    <Card as="section" padding="lg" className={styles.card} aria-labelledby="connection-heading">
      <div className={styles.head}>
        <h2 id="connection-heading" className={styles.heading}>
          Stripe
        </h2>
        <State connection={connection} />
      </div>
      <p className={styles.soft}>
        {isConnected
          ? "Your payout method is connected. Stripe sends your earnings to your bank account."
          : "We pay you through Stripe. Stripe will ask for your details and bank account. We never see your bank account."}
      </p>
      <ul className={styles.rows}>
        {ROWS.map(([name, label]) => (
          <li key={name} className={styles.row}>
            {connection[name] ? (
              <Check size={18} aria-hidden="true" className={styles.tick} />
            ) : (
              <Circle size={18} aria-hidden="true" className={styles.circle} />
            )}
            {label}
            <span className="visually-hidden">{connection[name] ? ": yes" : ": not yet"}</span>
          </li>
        ))}
      </ul>
      {connection.connected && dueLabels.length > 0 && (
        <div className={styles.due}>
          <h3 className={styles.dueHeading}>Stripe still needs</h3>
          <ul>
            {dueLabels.map((label) => (
              <li key={label}>{label}</li>
            ))}
          </ul>
        </div>
      )}
      {underReview(connection) && (
        <Notice>Stripe is reviewing your details. This page will update automatically.</Notice>
      )}
      {start.isError && <Notice tone="danger">{start.error.message}</Notice>}
      {login.isError && <Notice tone="danger">Could not open the Stripe dashboard. Please try again.</Notice>}
      <div className={styles.foot}>
        {!isConnected && !underReview(connection) && (
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
  if (isComplete(connection)) return <Badge tone="green">Connected</Badge>;
  if (connection.connected) return <Badge tone="warning">Incomplete</Badge>;
  return <Badge>Not connected</Badge>;
}
