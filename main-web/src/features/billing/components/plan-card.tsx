import { Check, Clock } from "lucide-react";
import { Link } from "react-router-dom";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { paths } from "@/config/paths";
import { cx } from "@/lib/cx";
import type { Billing } from "../api/get-billing";
import { formatPlanDay } from "../lib/format-plan-day";
import { planPrice, type Plan } from "../api/get-plans";
import { isPaidPlan, type Interval } from "../lib/choices";
import styles from "../pages/pricing-page.module.css";

export const NOT_SET_UP = "Payments are not set up on this site yet.";

type PlanCardProps = {
  plan: Plan;
  interval: Interval;
  featured: boolean;
  /** undefined: signed out, or not loaded yet. */
  billing: Billing | undefined;
  signedIn: boolean;
  paymentsAvailable: boolean;
  /** This plan's checkout opens. */
  busy: boolean;
  disabled: boolean;
  onBuy: (plan: "skill-sharer" | "premium-angel") => void;
};

/** A plan with its price, its features and the button that fits the user. */
export function PlanCard({ plan, interval, featured, billing, ...action }: PlanCardProps) {
  const per = plan.priceCents === 0 ? null : interval;
  return (
    <li className={cx(styles.plan, featured && styles.middle)}>
      <div className={styles.planHead}>
        <h3 className={styles.name}>{plan.name}</h3>
        {billing?.plan === plan.slug && <Badge tone="good">Your plan</Badge>}
      </div>
      <p className={styles.price}>
        {planPrice(plan, interval)}
        {per && <span className={styles.interval}> per {per}</span>}
      </p>
      <ul className={styles.features}>
        {plan.points.map((point) => (
          <li key={point} className={styles.point}>
            <Check size={17} aria-hidden="true" />
            {point}
          </li>
        ))}
        {plan.features.map((feature) => (
          <li key={feature}>
            {plan.coming.includes(feature) ? (
              <>
                <Clock size={17} aria-hidden="true" />
                <span>
                  {feature} <Badge>Coming soon</Badge>
                </span>
              </>
            ) : (
              <>
                <Check size={17} aria-hidden="true" />
                {feature}
              </>
            )}
          </li>
        ))}
      </ul>
      <PlanAction plan={plan} featured={featured} billing={billing} {...action} />
    </li>
  );
}

function PlanAction({
  plan,
  featured,
  billing,
  signedIn,
  paymentsAvailable,
  busy,
  disabled,
  onBuy,
}: Omit<PlanCardProps, "interval">) {
  const { slug } = plan;
  if (!isPaidPlan(slug)) {
    if (signedIn) return null;
    return (
      <Button asChild block variant="secondary">
        <Link to={paths.signup}>Start for free</Link>
      </Button>
    );
  }
  if (billing?.source === "grant" && (billing.plan === slug || billing.plan === "premium-angel")) {
    return (
      <p className={styles.text}>
        {billing.plan !== slug
          ? `Part of ${billing.planName}, which you have.`
          : billing.until
            ? `Yours until ${formatPlanDay(billing.until)} without paying.`
            : "Yours without paying."}
      </p>
    );
  }
  if (!paymentsAvailable) return <p className={styles.text}>{NOT_SET_UP}</p>;
  const state = billing?.subscription?.state;
  if (state === "active" || state === "past_due" || state === "incomplete") {
    const isOwn = billing?.subscription?.plan === slug;
    return (
      <Button asChild block variant="secondary">
        <Link to={paths.plan}>{isOwn ? "Manage your plan" : `Change to ${plan.name}`}</Link>
      </Button>
    );
  }
  return (
    <Button
      block
      variant={featured ? "primary" : "secondary"}
      loading={busy}
      disabled={disabled}
      onClick={() => onBuy(slug)}
    >
      Get {plan.name}
    </Button>
  );
}
