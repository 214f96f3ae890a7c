import { Lamp } from "lucide-react";
import { useDeferredValue } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { usePorchLights } from "@/features/porch-lights/contract";
import { useHome, type HomeGuru } from "../api/get-home";
import { FreeNeighbors } from "./free-neighbors";
import { GuruCard } from "./guru-card";
import styles from "./neighborhood.module.css";
import { PostRow } from "./post-row";
import { WantedHelp } from "./wanted-help";

/** Who is free this evening, gurus with their next times, what neighbors need, and the newest posts. */
export function Neighborhood() {
  const home = useHome();
  // Rendered interruptibly: the lists take a slow phone long.
  const content = useDeferredValue(home.data);
  const isLoading = home.isPending || (home.isSuccess && !content);
  return (
    <div className={`container ${styles.section}`}>
      <FreeNeighbors />
      <section aria-labelledby="neighborhood-title" aria-busy={isLoading}>
        <header className={styles.header}>
          <h2 id="neighborhood-title" className={styles.title}>
            Gurus near you
          </h2>
          <p className={styles.lead}>Pick a face, see the price and the next free time.</p>
        </header>
        {isLoading && <Loading />}
        {home.isError && (
          <ErrorState
            title="We couldn't load gurus and posts"
            message={home.error.message}
            onRetry={() => void home.refetch()}
            retrying={home.isFetching}
          />
        )}
        {home.isSuccess && content?.gurus.length === 0 && (
          <EmptyState
            icon={Lamp}
            title="No gurus yet"
            action={
              <Button asChild variant="secondary" size="sm">
                <Link to={paths.howItWorks}>See how it works</Link>
              </Button>
            }
          >
            The first gurus are still setting up their sites. Yours could be next.
          </EmptyState>
        )}
        {home.isSuccess && content && content.gurus.length > 0 && (
          <>
            <Gurus gurus={content.gurus} />
            <WantedHelp needs={content.needs} />
            {content.posts.length > 0 && (
              <>
                <h3 className={styles.subtitle}>Latest posts</h3>
                <ul className={styles.posts}>
                  {content.posts.map((post) => (
                    <PostRow key={post.url} post={post} />
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </section>
    </div>
  );
}

function Gurus({ gurus }: { gurus: readonly HomeGuru[] }) {
  const canBook = useFlag("booking");
  const lights = usePorchLights({ sites: gurus.map((guru) => guru.subdomain) });
  const lit = new Set(lights.data?.map(({ site }) => site?.label));
  return (
    <ul className={styles.gurus}>
      {gurus.map((guru) => (
        <GuruCard key={guru.subdomain} guru={guru} lit={lit.has(guru.subdomain)} canBook={canBook} />
      ))}
    </ul>
  );
}

function Loading() {
  return (
    <div className={styles.loading}>
      <p className="visually-hidden" role="status">
        Loading gurus and posts...
      </p>
      <div className={styles.gurus}>
        {[1, 2, 3, 4].map((n) => (
          <Skeleton key={n} height="11.5rem" radius="md" />
        ))}
      </div>
    </div>
  );
}
