import { Hammer, Lightbulb, Palette, PawPrint } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { HeroHeader } from "@/components/layout/hero-header";
import { PageHead } from "@/components/layout/page-head";
import { Notice } from "@/components/ui/notice";
import { usePaymentsAvailable } from "@/lib/get-config";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { useBilling } from "../api/get-billing";
import { usePlans } from "../api/get-plans";
import { IntervalChoice } from "../components/interval-choice";
import { PlanCard } from "../components/plan-card";
import { StripePricingTable } from "../components/stripe-pricing-table";
import { BUY, type Interval } from "../lib/choices";
import { usePurchase } from "../lib/use-purchase";
import { PAGE_HEADS } from "../page-heads";
import styles from "./pricing-page.module.css";

/** Typical earnings of gurus (SPEC 9). */
const EARNINGS = [
  { icon: Lightbulb, name: "Tutoring", range: "$25-50/hr" },
  { icon: Hammer, name: "Handyman", range: "$30-60/hr" },
  { icon: Palette, name: "Creative", range: "$20-40/hr" },
  { icon: PawPrint, name: "Pet Care", range: "$15-25/hr" },
];

export function PricingPage() {
  const plans = usePlans();
  const uid = useCurrentUserId();
  const billing = useBilling(uid || null).data;
  const paymentsAvailable = usePaymentsAvailable();
  const [search] = useSearchParams();
  const [interval, setInterval] = useState<Interval>(search.get(BUY.interval) === "year" ? "year" : "month");
  const purchase = usePurchase();
  const returnTo = search.get(BUY.returnTo) ?? paths.pricing;
  const subscribed = billing?.subscription ? billing.subscription.state !== "canceled" : false;
  return (
    <PageHead {...PAGE_HEADS[paths.pricing]}>
      <HeroHeader
        eyebrow="Pricing"
        title="Free to join. Upgrade when you start earning."
        lead="Learning, swapping and lending a hand are free. If you offer sessions, choose a plan. Change or cancel it anytime."
      />
      <div className={`container ${styles.page}`}>
        <section aria-labelledby="plans-title">
          <h2 id="plans-title" className="visually-hidden">
            Plans
          </h2>
          <IntervalChoice value={interval} onChange={setInterval} />
          {purchase.error && (
            <div className={styles.error}>
              <Notice tone="danger">{purchase.error}</Notice>
            </div>
          )}
          <ul className={styles.plans}>
            {plans.map((plan, index) => (
              <PlanCard
                key={plan.slug}
                plan={plan}
                interval={interval}
                featured={index === 1}
                billing={billing}
                signedIn={uid !== ""}
                paymentsAvailable={paymentsAvailable}
                busy={purchase.opening === plan.slug}
                disabled={purchase.opening !== null}
                onBuy={(slug) => purchase.buy({ plan: slug, interval, returnTo })}
              />
            ))}
          </ul>
        </section>
        {!subscribed && billing?.source !== "grant" && (
          <Checkout needed={!paymentsAvailable || Boolean(purchase.error)} />
        )}
        <section aria-labelledby="earnings-title">
          <h2 id="earnings-title" className={styles.heading}>
            What you could earn
          </h2>
          <p className={styles.text}>Typical rates on Porchlight. You set your own.</p>
          <ul className={styles.earnings}>
            {EARNINGS.map(({ icon: Icon, name, range }) => (
              <li key={name} className={styles.earning}>
                <Icon size={22} aria-hidden="true" />
                <span className={styles.trade}>{name}</span>
                <span className={styles.range}>{range}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </PageHead>
  );
}

/** The payment provider's table, open where the buttons of the plans don't sell. */
function Checkout({ needed }: { needed: boolean }) {
  const [wish, setWish] = useState<boolean | null>(null);
  return (
    <details
      className={styles.checkout}
      open={wish ?? needed}
      onToggle={(event) => {
        const { open } = event.currentTarget;
        if (open !== (wish ?? needed)) setWish(open);
      }}
    >
      <summary>Checkout</summary>
      <StripePricingTable />
    </details>
  );
}
