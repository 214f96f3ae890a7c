import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { planPrice, usePlans } from "../api/get-plans";
import { isPaidPlan, type Interval, type Target } from "../lib/choices";
import type { Subscription } from "../lib/plan-texts";
import styles from "./plan.module.css";

type ChangeOptionsProps = { subscription: Subscription; onChange: (target: Target) => void };

/** The other plans, and the cancellation. */
export function ChangeOptions({ subscription, onChange }: ChangeOptionsProps) {
  const plans = usePlans();
  const options = plans.flatMap((plan) =>
    (["month", "year"] as Interval[]).flatMap((interval) => {
      const { slug } = plan;
      const isCurrent = slug === subscription.plan && interval === subscription.interval;
      return isPaidPlan(slug) && !isCurrent ? [{ plan, slug, interval }] : [];
    }),
  );
  return (
    <Card as="section" padding="lg" className={styles.card} aria-labelledby="change-heading">
      <h2 id="change-heading" className={styles.heading}>
        Change your plan
      </h2>
      <ul className={styles.options}>
        {options.map(({ plan, slug, interval }) => (
          <li key={slug + interval} className={styles.option}>
            <div>
              <p className={styles.optionName}>{plan.name}</p>
              <p className={styles.soft}>
                {planPrice(plan, interval)} a {interval}
              </p>
            </div>
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Choose ${plan.name}, ${interval === "month" ? "monthly" : "yearly"}`}
              onClick={() => onChange({ plan: slug, interval })}
            >
              Choose
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <Button variant="ghost" onClick={() => onChange({ plan: "community", interval: subscription.interval })}>
          Cancel plan
        </Button>
      </div>
    </Card>
  );
}
