import { Check, Circle } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { usePaymentsAvailable } from "@/lib/get-config";
import { requirementLabel } from "../lib/requirement-labels";
import { underReview } from "../api/get-connection";
import { isComplete, type Connection } from "../lib/types";
import styles from "./payouts.module.css";
import { DashboardLink } from "./dashboard-link";
import { useStartConnection } from "../api/start-connection";

const ROWS = [
  ["details_submitted", "Details submitted"],
  ["charges_enabled", "Payments enabled"],
  ["payouts_enabled", "Payouts enabled"],
] as const;

type ConnectionCardProps = { connection: Connection; hasDashboardLink: boolean };

/** The connection's status, open requirements, and the link to Stripe. */
export function ConnectionCard({ connection, hasDashboardLink }: ConnectionCardProps) {
  const start = useStartConnection();
  const isAvailable = usePaymentsAvailable();
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
          : "We'll pay you through Stripe once sessions can be paid online. Stripe will ask for your details and bank account. We never see your bank account."}
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
      {!isAvailable && <Notice>Payments are not set up on this site yet.</Notice>}
      {isAvailable && !isConnected && !underReview(connection) && (
        <div className={styles.foot}>
          <Button loading={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
            {connection.connected ? "Continue with Stripe" : "Connect with Stripe"}
          </Button>
        </div>
      )}
      {hasDashboardLink && connection.details_submitted && <DashboardLink />}
    </Card>
  );
}

function State({ connection }: { connection: Connection }) {
  if (isComplete(connection)) return <Badge tone="good">Connected</Badge>;
  if (connection.connected) return <Badge tone="warning">Incomplete</Badge>;
  return <Badge>Not connected</Badge>;
}
