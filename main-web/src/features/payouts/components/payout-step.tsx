import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ConnectionView } from "./connection-view";
import { useConnection } from "../api/get-connection";
import { isComplete } from "../lib/types";
import styles from "./payouts.module.css";
import { useStartConnection } from "../api/start-connection";

/** The wizard's payout step (SPEC 2.14); Continue is enabled once fully connected. */
export function PayoutStep() {
  const connection = useConnection();
  const isConnected = connection.data ? isComplete(connection.data) : false;
  return (
    <>
      <RetryOnboarding />
      <ConnectionView />
      <div className={styles.foot}>
        {isConnected ? (
          <Button asChild>
            <Link to={paths.onboardingReview}>Continue to Review</Link>
          </Button>
        ) : (
          <Button disabled aria-describedby="why-not">
            Continue to Review
          </Button>
        )}
        {!isConnected && (
          <p id="why-not" className={styles.soft}>
            You can continue once Stripe setup is complete.
          </p>
        )}
      </div>
    </>
  );
}

/** Stripe redirects here when an onboarding link was used or has expired: request a new one, once. */
function RetryOnboarding() {
  const [params, setParams] = useSearchParams();
  const { mutate, isError, error, isPending, isSuccess } = useStartConnection();
  const hasRequested = useRef(false);
  const shouldRetry = params.has("again");
  useEffect(() => {
    if (!shouldRetry || hasRequested.current) return;
    hasRequested.current = true;
    // Remove the parameter, so that a reload or going back from Stripe does not repeat the request.
    setParams({}, { replace: true });
    mutate();
  }, [shouldRetry, setParams, mutate]);
  if (isPending || isSuccess) return <Notice>Taking you back to Stripe…</Notice>;
  if (isError) return <Notice tone="danger">{error.message}</Notice>;
  return null;
}
