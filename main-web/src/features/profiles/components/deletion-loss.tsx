import { useBilling } from "@/features/billing/contract";
import { useOwnBookings } from "@/features/bookings/contract";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { Notice } from "@/components/ui/notice";
import { formatDate } from "@porchlight/shared/format/dates";
import { pluralize } from "@porchlight/shared/format/numbers";

/** What ends with this person's account: the paid plan, the sessions ahead and the site. Nothing shows if nothing does. */
export function DeletionLoss() {
  const billing = useBilling(useCurrentUserId() || null);
  const bookings = useOwnBookings("upcoming");
  const ahead = bookings.data?.pages.flatMap((page) => page.bookings).filter(({ status }) => OPEN.has(status)) ?? [];
  const plan = billing.data?.source === "subscription" ? billing.data : null;
  const losses = [
    plan &&
      (plan.until
        ? `Your ${plan.planName} plan ends now. What you paid until ${formatDate(plan.until)} isn't refunded.`
        : `Your ${plan.planName} plan ends now. What you paid isn't refunded.`),
    ahead.length > 0 &&
      `${pluralize(ahead.length, "session")} ahead${bookings.hasNextPage ? " and more" : ""} will be canceled, by the terms that you booked with.`,
  ].filter((loss) => typeof loss === "string");
  if (losses.length === 0) return null;
  return (
    <Notice tone="warning">
      <ul>
        {losses.map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
    </Notice>
  );
}

const OPEN = new Set(["requested", "confirmed"]);
