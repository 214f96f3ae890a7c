import { createElement, useEffect } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { paths } from "@/config/paths";
import { useConfig } from "@/lib/get-config";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import styles from "../pages/pricing-page.module.css";
import { usePricingTableSession } from "../api/get-pricing-table-session";
import { useElementDefined } from "../lib/use-element-defined";

const ELEMENT = "stripe-pricing-table";

/**
 * The payment provider's pricing table, or a text until it is available (SPEC 4, "Pricing table"). It sells only to
 * signed-in users, with a session that says who buys: otherwise the subscription would belong to no user.
 */
export function StripePricingTable() {
  const uid = useCurrentUserId();
  const stripe = useConfig().data?.stripe ?? null;
  const available = useElementDefined(ELEMENT, stripe !== null);
  const session = usePricingTableSession(uid, uid !== "" && available);
  const script = stripe?.scriptUrl;

  useEffect(() => {
    if (!script || customElements.get(ELEMENT) || document.querySelector(`script[src="${script}"]`)) return;
    const element = document.createElement("script");
    element.src = script;
    element.async = true;
    document.head.append(element);
  }, [script]);

  if (!available || !stripe || (uid !== "" && !session.data)) {
    return (
      <div className={styles.table}>
        <Notice>
          Online checkout isn't available right now. You can still compare plans above and start for free.
        </Notice>
      </div>
    );
  }
  const table = createElement(ELEMENT, {
    "pricing-table-id": stripe.pricingTableId,
    "publishable-key": stripe.publishableKey,
    ...(session.data && {
      "client-reference-id": session.data.clientReferenceId,
      "customer-session-client-secret": session.data.clientSecret,
    }),
  });
  if (uid !== "") return <div className={styles.table}>{table}</div>;
  return (
    <div className={styles.table}>
      <div inert className={styles.inert}>
        {table}
      </div>
      <p className={styles.signIn}>
        <Button asChild variant="secondary">
          <Link to={paths.login} state={{ from: paths.pricing, message: "Please sign in to choose a plan." }}>
            Sign in to check out here
          </Link>
        </Button>
      </p>
    </div>
  );
}
