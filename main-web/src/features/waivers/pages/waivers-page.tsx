import { FileSignature } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { NotAllShown } from "@/components/not-all-shown";
import { useOwnWaivers, type Waiver } from "../api/get-waivers";
import { ContactViews } from "../components/contact-views";
import { DueSessions } from "../components/due-sessions";
import { WaiverCard } from "../components/waiver-card";
import styles from "../components/waivers-page.module.css";

const KEYS_URL = "/.well-known/porchlight-waiver-keys.json";

/** The signed-in user's waivers with their receipts, and how anyone can verify one. */
export function WaiversPage() {
  const list = useOwnWaivers();
  const hasSessions = useFlag("booking");
  return (
    <PageHead title="Waivers" description="The liability waivers you've accepted.">
      <div className={`container ${styles.page}`} aria-busy={list.isPending}>
        <header>
          <h1 className={styles.title}>Waivers</h1>
          <p className={styles.lead}>
            <span>The liability waivers you've accepted, with a receipt for each.</span>
            {hasSessions && (
              <Link className="tap-link" to={paths.sessions}>
                Your sessions
              </Link>
            )}
          </p>
        </header>
        {list.isPending && <Loading />}
        {list.isError && !list.data && (
          <ErrorState
            title="We couldn't load your waivers"
            message={list.error.message}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        )}
        {list.data && (
          <>
            <DueSessions sessions={list.data.dueSessions} hasMore={list.data.moreDueSessions} />
            <Waivers waivers={list.data.waivers} hasMore={list.data.moreWaivers} />
            <ContactViews views={list.data.contactViews} hasMore={list.data.moreContactViews} />
          </>
        )}
      </div>
    </PageHead>
  );
}

function Loading() {
  return (
    <>
      <p className="visually-hidden" role="status">
        Loading your waivers...
      </p>
      {[1, 2].map((n) => (
        <Skeleton key={n} height="13rem" radius="md" />
      ))}
    </>
  );
}

function Waivers({ waivers, hasMore }: { waivers: Waiver[]; hasMore: boolean }) {
  if (waivers.length === 0) {
    return (
      <EmptyState
        icon={FileSignature}
        title="No waivers yet."
        action={
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.liabilityDemo}>See how waivers work</Link>
          </Button>
        }
      >
        When a session needs a waiver, we'll ask you while you book it.
      </EmptyState>
    );
  }
  return (
    <>
      <ul className={styles.list} aria-label="Waivers">
        {waivers.map((waiver) => (
          <WaiverCard key={waiver.waiverId} waiver={waiver} />
        ))}
      </ul>
      {hasMore && <NotAllShown count={waivers.length} what="newest" />}
      <section aria-labelledby="verify-receipt" className={styles.section}>
        <h2 id="verify-receipt" className={styles.name}>
          How someone else can check a receipt
        </h2>
        <p>
          Anyone you give the ZIP file to can verify it on their own computer, without an account and without asking us.
          They follow the README.txt inside and compare the signature with <a href={KEYS_URL}>our public keys</a>.
        </p>
      </section>
    </>
  );
}
