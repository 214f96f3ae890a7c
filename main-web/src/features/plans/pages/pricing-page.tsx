import { Check, Hammer, Lightbulb, Palette, PawPrint } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cx } from "@/lib/cx";
import { HeroHeader } from "@/components/layout/hero-header";
import { Page } from "@/components/layout/page";
import { PAGE_HEADS } from "../page-heads";
import { planPrice, usePlans } from "../api/get-plans";
import styles from "./pricing-page.module.css";
import { StripePricingTable } from "../components/stripe-pricing-table";

/** Typical earnings of gurus (SPEC 9). */
const EARNINGS = [
  { icon: Lightbulb, name: "Tutoring", range: "$25-50/hr" },
  { icon: Hammer, name: "Handyman", range: "$30-60/hr" },
  { icon: Palette, name: "Creative", range: "$20-40/hr" },
  { icon: PawPrint, name: "Pet Care", range: "$15-25/hr" },
];

export function PricingPage() {
  const plans = usePlans();
  return (
    <Page {...PAGE_HEADS[paths.pricing]}>
      <HeroHeader
        eyebrow="Pricing"
        title="Free to join. Upgrade when you start earning."
        lead="Learning, swapping and lending a hand are free. If you offer sessions, choose a plan. Change or cancel it anytime."
      />
      <div className={`container ${styles.page}`}>
        <StripePricingTable />
        <section aria-labelledby="plans-title">
          <h2 id="plans-title" className="visually-hidden">
            Plans
          </h2>
          <ul className={styles.plans}>
            {plans.map((plan, index) => {
              const middle = index === 1;
              return (
                <li key={plan.slug} className={cx(styles.plan, middle && styles.middle)}>
                  <div className={styles.planHead}>
                    <h3 className={styles.name}>{plan.name}</h3>
                    {middle && <Badge tone="green">Most popular</Badge>}
                  </div>
                  <p className={styles.price}>
                    {planPrice(plan)}
                    {plan.interval && <span className={styles.interval}> per {plan.interval}</span>}
                  </p>
                  <ul className={styles.features}>
                    {plan.features.map((feature) => (
                      <li key={feature}>
                        <Check size={17} aria-hidden="true" />
                        {feature}
                      </li>
                    ))}
                  </ul>
                  <Button asChild block variant={middle ? "primary" : "secondary"}>
                    <Link to={paths.signup}>{plan.priceCents === 0 ? "Start for free" : `Get ${plan.name}`}</Link>
                  </Button>
                </li>
              );
            })}
          </ul>
        </section>
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
    </Page>
  );
}
