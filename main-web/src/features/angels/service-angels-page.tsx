import { HeartHandshake } from "lucide-react";
import { Link, useParams, useSearchParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { readLocation } from "../../kit/remembered-location";
import { Button } from "../../ui/button";
import { Field, Select } from "../../ui/field";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import { AngelCard } from "./angel-card";
import styles from "./angels.module.css";
import { useServiceAngels } from "./get-service-angels";
import { ApiError } from "@porchlight/shared/client";

/** The angels for one kind of help, the nearest first. */
export function ServiceAngelsPage() {
  const { service = "" } = useParams();
  const [params, setParams] = useSearchParams();
  const city = params.get("city") ?? "";
  const near = readLocation() ?? "";
  const found = useServiceAngels({ service, city, near });
  const first = found.data?.pages[0]?.service;
  const angels = found.data?.pages.flatMap((page) => page.angels) ?? [];
  const title = first?.title ?? "Angels";
  const unknown = found.error instanceof ApiError && found.error.status === 404;
  const post = { pathname: paths.postNeed, search: new URLSearchParams({ service }).toString() };

  return (
    <Page title={`${title} · Angel's List`} description={first?.description ?? "Neighbors who help."}>
      <div className={`container ${styles.page}`} aria-busy={found.isPending}>
        <header className={styles.top}>
          <div>
            <p>
              <Link to={paths.angelsList}>Angel's List</Link>
            </p>
            <h1 className={styles.title}>{title}</h1>
            {first && <p className={styles.lead}>{first.description}</p>}
          </div>
          {!unknown && (
            <Button asChild variant="secondary">
              <Link to={post}>Post a need</Link>
            </Button>
          )}
        </header>
        {first && first.cities.length > 1 && (
          <div className={styles.filters}>
            <Field label="City">
              <Select
                value={city}
                onChange={(event) => setParams(event.target.value ? { city: event.target.value } : {}, { preventScrollReset: true })}
              >
                <option value="">All Cities</option>
                {first.cities.map((place) => (
                  <option key={place.city}>{place.city}</option>
                ))}
              </Select>
            </Field>
          </div>
        )}
        {found.isPending && (
          <div className={styles.grid}>
            {[1, 2, 3].map((n) => (
              <Skeleton key={n} height="14rem" radius="md" />
            ))}
          </div>
        )}
        {unknown && (
          <EmptyState
            icon={HeartHandshake}
            title="Nobody helps with that yet."
            action={
              <Button asChild variant="secondary" size="sm">
                <Link to={paths.angelsList}>See all services</Link>
              </Button>
            }
          />
        )}
        {found.isError && !unknown && !found.data && (
          <ErrorState
            title="The angels are out of reach"
            message={found.error.message}
            onRetry={() => void found.refetch()}
            retrying={found.isFetching}
          />
        )}
        {found.data && angels.length === 0 && (
          <EmptyState
            icon={HeartHandshake}
            title={city ? `No angels for this in ${city} yet.` : "No angels for this yet."}
            action={
              <Button asChild size="sm">
                <Link to={{ pathname: paths.beAnAngel, search: new URLSearchParams({ service }).toString() }}>Be the first</Link>
              </Button>
            }
          >
            Post what you need all the same: who joins in the meantime will see it.
          </EmptyState>
        )}
        {angels.length > 0 && (
          <>
            <ul className={styles.grid} aria-label={`Angels for ${title}`}>
              {angels.map((angel) => (
                <AngelCard key={angel.handle} angel={angel} service={service} />
              ))}
            </ul>
            <p className={styles.hint}>
              Places are coarse on purpose: nobody's address can be told from them.{" "}
              <Link to={{ pathname: paths.beAnAngel, search: new URLSearchParams({ service }).toString() }}>Help with this too</Link>
            </p>
          </>
        )}
        {found.hasNextPage && (
          <div>
            <Button variant="secondary" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}
