import { useEffect, useEffectEvent } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { useSession } from "@/lib/session/session-context";
import { paymentErrorText } from "@/lib/payment-error-text";
import { useStartCheckout } from "../api/start-checkout";
import { BUY, purchaseAddress, requestedPurchase, type Choice } from "./choices";

type Purchase = Choice & { returnTo: string };

/**
 * Buy a plan. Visitors sign in first, and their purchase continues by itself when they come back to this page, because
 * its address names it. Afterwards Stripe leads to the page that the purchase returns to.
 */
export function usePurchase() {
  const session = useSession();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const checkout = useStartCheckout();
  const isSignedIn = session.status === "signed-in";
  const requested = isSignedIn ? requestedPurchase(search) : null;

  const proceed = useEffectEvent((purchase: Purchase) => {
    // Coming back from Stripe by the browser's button must not start it again.
    setSearch(
      (now) => {
        for (const name of Object.values(BUY)) now.delete(name);
        return now;
      },
      { replace: true },
    );
    checkout.mutate(purchase);
  });
  const key = requested && JSON.stringify(requested);
  useEffect(() => {
    if (key) proceed(JSON.parse(key) as Purchase);
  }, [key]);

  const buy = (purchase: Purchase) => {
    if (isSignedIn) {
      checkout.mutate(purchase);
      return;
    }
    const { returnTo, ...choice } = purchase;
    const state = { from: purchaseAddress(choice, returnTo), message: "Please sign in to choose a plan." };
    void navigate(paths.login, { state });
  };
  const opening = checkout.isPending || checkout.isSuccess ? checkout.variables.plan : null;
  return { buy, opening, error: checkout.error && paymentErrorText(checkout.error) };
}
