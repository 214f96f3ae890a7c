import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { ConnectionView } from "./connection";
import { useConnection } from "./get-connection";
import { isWhole } from "./own";
import styles from "./payouts.module.css";
import { useStart } from "./post-start";

/** The wizard's payout step (SPEC 2.14): onward only when fully connected. */
export function PayoutStep() {
  const connection = useConnection();
  const whole = connection.data ? isWhole(connection.data) : false;
  return (
    <>
      <Again />
      <ConnectionView />
      <div className={styles.foot}>
        {whole ? (
          <Button asChild>
            <Link to={paths.onboardingReview}>Continue to Review</Link>
          </Button>
        ) : (
          <Button disabled aria-describedby="why-not">
            Continue to Review
          </Button>
        )}
        {!whole && (
          <p id="why-not" className={styles.soft}>
            You can go on once Stripe has everything.
          </p>
        )}
      </div>
    </>
  );
}

/** Stripe sends people back here whose link was used or too old: they get a new one, once. */
function Again() {
  const [params, setParams] = useSearchParams();
  const { mutate, isError, error, isPending, isSuccess } = useStart();
  const asked = useRef(false);
  const wanted = params.has("again");
  useEffect(() => {
    if (!wanted || asked.current) return;
    asked.current = true;
    // Not in the address any more: a reload or the way back from Stripe does not ask again.
    setParams({}, { replace: true });
    mutate();
  }, [wanted, setParams, mutate]);
  if (isPending || isSuccess) return <Notice>Taking you back to Stripe…</Notice>;
  if (isError) return <Notice tone="danger">{error.message}</Notice>;
  return null;
}
