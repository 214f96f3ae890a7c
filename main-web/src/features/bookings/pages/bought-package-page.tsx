import { TicketX } from "lucide-react";
import { useEffect, useRef } from "react";
import { generatePath, Link, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Logo } from "@/components/ui/logo";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { serviceTimesUrl } from "@/lib/guru-site";
import { safeHref } from "@/lib/safe-href";
import styles from "../components/book-page.module.css";
import { PackageSummary } from "../components/package-summary";
import type { PackagePurchase } from "../lib/package-texts";
import { isUnderWay, usePurchaseWait } from "../lib/use-purchase-wait";
import { ApiError } from "@porchlight/shared/client";
import { formatDate } from "@porchlight/shared/format/dates";
import { formatCents } from "@porchlight/shared/format/money";

type Wait = ReturnType<typeof usePurchaseWait>;

/** What became of the purchase of a package. Stripe's page leads back to it. */
export function BoughtPackagePage() {
  const { id = "" } = useParams();
  return <Purchase key={id} id={id} />;
}

function Purchase({ id }: { id: string }) {
  const wait = usePurchaseWait(id);
  const { data, error, isFetching, refetch } = wait.purchase;
  if (data) return <PurchaseState purchase={data} wait={wait} />;
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  if (error) {
    return (
      <PageHead title="Your package" description="A package that you bought on Porchlight.">
        <div className={`container ${styles.page}`}>
          <h1>Your package</h1>
          <ErrorState
            title="We couldn't load your package"
            message={error.message}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        </div>
      </PageHead>
    );
  }
  return (
    <div className={`container ${styles.page}`} aria-busy="true">
      <h1 className="visually-hidden">Your package</h1>
      <Skeleton width="60%" height="3rem" />
      <Skeleton height="16rem" radius="md" />
    </div>
  );
}

function PurchaseState({ purchase, wait }: { purchase: PackagePurchase; wait: Wait }) {
  const { guruLabel, guruName, lastDay } = purchase;
  const isBought = purchase.state === "paid" && purchase.grantId !== null;
  const title = isBought ? "It's yours" : isUnderWay(purchase) ? "Your payment" : "Not bought";
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isBought) heading.current?.focus();
  }, [isBought]);
  return (
    <PageHead title={title} description={`${purchase.name} with ${guruName}`}>
      <div className={`container ${styles.page}`}>
        <Card as="section" padding="lg" className={styles.booked}>
          {isBought && <Logo size={56} className={styles.litHouse} />}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p role="status">{stateText(purchase, wait)}</p>
          <PackageSummary
            guruLabel={guruLabel}
            guruName={guruName}
            item={purchase}
            {...(lastDay !== null && { until: `Until ${formatDate(lastDay)}` })}
          />
          {isBought ? (
            <Button asChild size="lg" block>
              <a href={serviceTimesUrl(guruLabel, purchase.serviceId)}>Choose a time</a>
            </Button>
          ) : (
            <Actions purchase={purchase} wait={wait} />
          )}
          {isBought && (
            <p>
              Find it in <Link to={`${paths.sessions}#packages`}>your sessions</Link>, and the receipt in{" "}
              <Link to={paths.orders}>your orders</Link>.
            </p>
          )}
        </Card>
      </div>
    </PageHead>
  );
}

/** What people can do while a package is not paid. */
function Actions({ purchase, wait }: { purchase: PackagePurchase; wait: Wait }) {
  const canPay = purchase.state === "open" && purchase.url !== "" && !wait.isReturning;
  const isWaiting = isUnderWay(purchase) && wait.isOver;
  const canReturn = !isUnderWay(purchase) || canPay;
  return (
    <div className={styles.row}>
      {canPay && (
        <Button asChild size="lg">
          <a href={safeHref(purchase.url)}>{`Pay ${formatCents(purchase.priceCents)}`}</a>
        </Button>
      )}
      {isWaiting && (
        <Button variant="secondary" size="lg" loading={wait.purchase.isFetching} onClick={wait.askAgain}>
          Check again
        </Button>
      )}
      {canReturn && (
        <Button asChild size="lg" variant={canPay ? "secondary" : "primary"}>
          <Link to={generatePath(paths.buyPackage, { label: purchase.guruLabel, id: purchase.packageId })}>
            {canPay ? "Back to the package" : "Try again"}
          </Link>
        </Button>
      )}
    </div>
  );
}

/** Say where a purchase is. */
function stateText(purchase: PackagePurchase, { isReturning, isOver }: Wait): string {
  switch (purchase.state) {
    case "paid":
      if (purchase.grantId === null) return "We got your payment. Your package is on its way.";
      return `We got your payment of ${formatCents(purchase.priceCents)}. We've emailed you, too.`;
    case "expired":
      return "You didn't pay in time. Nothing was charged.";
    case "canceled":
      return "You didn't pay this time. Nothing was charged.";
    case "failed":
      return "We couldn't reach Stripe. Nothing was charged.";
    case "opening":
      if (isOver) return "Stripe doesn't answer at the moment. Please check again in a minute.";
      return "Opening Stripe's page…";
    case "open":
      if (isReturning && isOver)
        return "Stripe hasn't confirmed your payment yet. If you paid, you find your package in your sessions soon, and we email you.";
      if (isReturning) return "We're waiting for Stripe to confirm your payment. This page updates by itself.";
      if (purchase.url === "")
        return "The time to pay is over. If you have just paid, you find your package here in a moment.";
      return "You pay on Stripe's page.";
  }
}

function NotFound() {
  return (
    <PageHead title="No such purchase" description="You have no purchase at this address.">
      <div className={`container ${styles.page}`}>
        <h1>No such purchase</h1>
        <EmptyState
          icon={TicketX}
          title="You have no purchase at this address"
          action={
            <Button asChild variant="secondary">
              <Link to={`${paths.sessions}#packages`}>See your packages</Link>
            </Button>
          }
        >
          If you paid with another account, please sign in with it.
        </EmptyState>
      </div>
    </PageHead>
  );
}
