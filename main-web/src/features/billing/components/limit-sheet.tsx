import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { paths } from "@/config/paths";
import { closeLimitSheet, type ReachedLimit } from "@/lib/limit-sheet-store";
import { PLAN_NAMES } from "@/lib/plan-names";
import styles from "./plan-usage.module.css";

/** A dialog about something the user's plan doesn't include. It covers the form, which keeps its text. */
export function LimitSheet({ reached }: { reached: ReachedLimit }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeLimitSheet()}
      title={`Part of ${PLAN_NAMES[reached.plan] ?? "another plan"}`}
      description={reached.message}
      footer={
        <>
          <Button variant="ghost" onClick={closeLimitSheet}>
            Not now
          </Button>
          <Button asChild>
            <a href={paths.pricing} target="_blank" rel="noopener">
              See plans
              <span className="visually-hidden">(opens in a new tab)</span>
            </a>
          </Button>
        </>
      }
    >
      {reached.limit !== undefined && reached.limit > 0 && (
        <p className={styles.usage}>
          You use {reached.used} of {reached.limit}.
        </p>
      )}
      <p>What you've entered stays here. Nothing was changed.</p>
    </Dialog>
  );
}
