import { createElement, useEffect } from "react";
import { useConfig } from "../../kit/get-config";
import { Notice } from "../../ui/notice";
import styles from "./pricing-page.module.css";
import { useElementDefined } from "./use-element-defined";

const ELEMENT = "stripe-pricing-table";
const SCRIPT = "https://js.stripe.com/v3/pricing-table.js";

/** The payment provider's own table, or words in its place until it is available (SPEC 4, "Pricing table"). */
export function PricingTable() {
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
      <Notice>
        The checkout table of our payment provider is not available right now. The plans below are the same, and you can
        start for free today.
      </Notice>
    </div>
  );
}
