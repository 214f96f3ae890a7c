import { TicketX } from "lucide-react";
import { Link, Navigate, useLocation, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Splash } from "@/components/ui/splash";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { TitleText } from "@/components/ui/title-text";
import { useFlag } from "@/lib/feature-flags";
import { guruSiteUrl } from "@/lib/guru-site";
import type { LoginState } from "@/lib/login-redirect";
import { useSession, type SignedInUser } from "@/lib/session/session-context";
import { useSiteGuru } from "@/lib/use-guru-face";
import { useSoldPackages } from "../api/get-sold-packages";
import styles from "../components/book-page.module.css";
import { PackageForm } from "../components/package-form";
import { PackageSummary } from "../components/package-summary";
import { ApiError } from "@porchlight/shared/client";

/** Sells a package of a guru to a signed-in user: what they get, the terms, and the way to Stripe's page. */
export function BuyPackagePage() {
  const session = useSession();
  const location = useLocation();
  const { label = "", id = "" } = useParams();
  const isOn = useFlag("booking");
  if (!isOn) return <Navigate to={paths.dashboard} replace />;
  if (session.status === "loading") return <Splash />;
  if (session.status !== "signed-in") {
    const state: LoginState = {
      from: location.pathname + location.search,
      message: "Please sign in to buy a package.",
    };
    return <Navigate to={paths.login} replace state={state} />;
  }
  return <ForSale key={`${label} ${id}`} label={label} id={id} user={session.user} />;
}

function ForSale({ label, id, user }: { label: string; id: string; user: SignedInUser }) {
  const guru = useSiteGuru(label);
  const isUnknown = guru.error instanceof ApiError && guru.error.status === 404;
  const packages = useSoldPackages(label, !isUnknown);
  if (isUnknown) return <NotSold guru={null} />;
  if (guru.data && packages.data) {
    const item = packages.data.packages.find((one) => one.id === id);
    if (!item) return <NotSold guru={guru.data} />;
    const { character } = guru.data;
    return (
      <PageHead title={`Buy ${item.name}`} description={`Buy ${item.name} from ${character}.`}>
        <div className={`container ${styles.page}`}>
          <h1>
            <TitleText>{`Buy ${item.name}`}</TitleText>
          </h1>
          <div className={styles.columns}>
            <div className={styles.beside}>
              <PackageSummary guruLabel={label} guruName={character} item={item} />
            </div>
            <PackageForm label={label} guruName={character} item={item} user={user} />
          </div>
        </div>
      </PageHead>
    );
  }
  const failed = [guru, packages].filter(({ isError }) => isError);
  const [first] = failed;
  if (first?.error) {
    return (
      <PageHead title="Buy a package" description="Buy a package of sessions on Porchlight.">
        <div className={`container ${styles.page}`}>
          <h1>Buy a package</h1>
          <ErrorState
            title="We couldn't load this package"
            message={first.error.message}
            onRetry={() => failed.forEach(({ refetch }) => void refetch())}
            retrying={failed.some(({ isFetching }) => isFetching)}
          />
        </div>
      </PageHead>
    );
  }
  return (
    <div className={`container ${styles.page}`} aria-busy="true">
      <h1 className="visually-hidden">Buy a package</h1>
      <Skeleton width="60%" height="3rem" />
      <Skeleton height="16rem" radius="md" />
    </div>
  );
}

/** @param guru null for one who is not on the platform */
function NotSold({ guru }: { guru: { subdomain: string; character: string } | null }) {
  return (
    <PageHead title="Not for sale" description="This package isn't for sale right now.">
      <div className={`container ${styles.page}`}>
        <h1>Not for sale</h1>
        <EmptyState
          icon={TicketX}
          title="This package isn't for sale right now"
          action={
            <Button asChild variant="secondary">
              {guru ? (
                <a href={guruSiteUrl(guru.subdomain, "/services")}>{`See what ${guru.character} offers`}</a>
              ) : (
                <Link to={paths.skills}>Browse skills</Link>
              )}
            </Button>
          }
        >
          {guru
            ? `${guru.character} doesn't offer it anymore, or can't take cards at the moment. Nothing was charged.`
            : "Its guru isn't on Porchlight anymore. Nothing was charged."}
        </EmptyState>
      </div>
    </PageHead>
  );
}
