import { createElement, useEffect } from "react";
import { useConfig } from "@/lib/get-config";
import { Notice } from "@/components/ui/notice";
import styles from "../pages/pricing-page.module.css";
import { useElementDefined } from "../lib/use-element-defined";

const ELEMENT = "stripe-pricing-table";
const SCRIPT = "https://js.stripe.com/v3/pricing-table.js";

/** The payment provider's pricing table, or a text until it is available (SPEC 4, "Pricing table"). */
export function StripePricingTable() {
  const stripe = useConfig().data?.stripe ?? null;
  const configured = stripe !== null;
  const available = useElementDefined(ELEMENT, configured);

  useEffect(() => {
    if (!configured || customElements.get(ELEMENT) || document.querySelector(`script[src="${SCRIPT}"]`)) return;
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.async = true;
    document.head.append(script);
  }, [configured]);

  if (available && stripe) {
    return (
      <div className={styles.table}>
        {createElement(ELEMENT, {
          "pricing-table-id": stripe.pricingTableId,
          "publishable-key": stripe.publishableKey,
        })}
      </div>
    );
  }
  return (
    <div className={styles.table}>
      <Notice>Online checkout isn't available right now. You can still compare plans below and start for free.</Notice>
    </div>
  );
}
