import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Notice } from "@/components/ui/notice";
import { paymentErrorText } from "@/lib/payment-error-text";
import type { SoldPackage } from "../lib/package-texts";
import { ApiError } from "@porchlight/shared/client";
import { formatCents } from "@porchlight/shared/format/money";

type PackageErrorProps = {
  error: Error | null;
  item: SoldPackage;
  /** The price that was sent, in cents. */
  sentCents: number | null;
};

/** Says why Stripe's page was not opened, and what to do next. */
export function PackageError({ error, item, sentCents }: PackageErrorProps) {
  if (error === null) return null;
  const code = error instanceof ApiError ? error.code : "";
  if (code === "package_price_changed" && item.priceCents !== sentCents) {
    return <Notice tone="danger">The price is now {formatCents(item.priceCents)}. Nothing was charged.</Notice>;
  }
  return (
    <Notice tone="danger">
      {code === "email_unverified"
        ? "Please verify your email address first. We sent you a link."
        : paymentErrorText(error)}{" "}
      {code === "too_many_open_packages" && <Link to={`${paths.sessions}#packages`}>See your packages</Link>}
      {code === "own_package" && <Link to={paths.guruPackages}>See your packages</Link>}
    </Notice>
  );
}
