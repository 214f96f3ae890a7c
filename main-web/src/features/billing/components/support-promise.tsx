import { useSession } from "@/lib/session/session-context";
import { useBilling } from "../api/get-billing";
import styles from "./plan-usage.module.css";

/** When the user's plan promises an answer. Shows nothing without such a plan. */
export function SupportPromise() {
  const session = useSession();
  const billing = useBilling(session.status === "signed-in" ? session.user.uid : null).data;
  const days = billing?.limits.find(({ feature }) => feature === "support_days")?.limit;
  if (!billing || !days) return null;
  return (
    <p className={styles.usage}>
      As a {billing.planName}, you get an answer within {days === 1 ? "1 business day" : `${days} business days`}.
    </p>
  );
}
