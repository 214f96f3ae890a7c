import { HeartHandshake } from "lucide-react";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { readSavedLocation, saveLocation } from "@/lib/saved-location";
import { PlaceChoices } from "@/features/places/contract";
import { usePorchLights } from "@/features/porch-lights/contract";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { AngelCard } from "../components/angel-card";
import styles from "../components/angels.module.css";
import { useServiceAngels } from "../api/get-service-angels";
import { ApiError } from "@porchlight/shared/client";

/** The angels for one service, nearest first. */
export function ServiceAngelsPage() {
  const { service = "" } = useParams();
  const [params, setParams] = useSearchParams();
  const city = params.get("city") ?? "";
  const [near, setNear] = useState(() => readSavedLocation() ?? "");
  const angelsQuery = useServiceAngels({ service, city, near });
  const first = angelsQuery.data?.pages[0]?.service;
  const place = angelsQuery.data?.pages[0]?.place;
  const angels = angelsQuery.data?.pages.flatMap((page) => page.angels) ?? [];
  const lights = usePorchLights({ handles: angels.map(({ handle }) => handle) });
  const lit = new Set(lights.data?.map(({ handle }) => handle));
  const title = first?.title ?? "Angels";
  const unknown = angelsQuery.error instanceof ApiError && angelsQuery.error.status === 404;
  const post = { pathname: paths.postNeed, search: new URLSearchParams({ service }).toString() };

  return (
    <PageHead title={`${title} · Angel's List`} description={first?.description ?? "Find a neighbor who can help."}>
      <div className={`container ${styles.page}`} aria-busy={angelsQuery.isPending}>
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
                onChange={(event) =>
                  setParams(event.target.value ? { city: event.target.value } : {}, { preventScrollReset: true })
                }
              >
                <option value="">All Cities</option>
                {first.cities.map((place) => (
                  <option key={place.city}>{place.city}</option>
                ))}
              </Select>
            </Field>
          </div>
        )}
        {angelsQuery.isPending && (
          <div className={styles.grid}>
            {[1, 2, 3].map((n) => (
              <Skeleton key={n} height="14rem" radius="md" />
            ))}
          </div>
        )}
        {unknown && (
          <EmptyState
            icon={HeartHandshake}
            title="We don't have that service yet."
            action={
              <Button asChild variant="secondary" size="sm">
                <Link to={paths.angelsList}>See all services</Link>
              </Button>
            }
          />
        )}
        {angelsQuery.isError && !unknown && !angelsQuery.data && (
          <ErrorState
            title="We couldn't load angels"
            message={angelsQuery.error.message}
            onRetry={() => void angelsQuery.refetch()}
            retrying={angelsQuery.isFetching}
          />
        )}
        {angelsQuery.data && angels.length === 0 && (
          <EmptyState
            icon={HeartHandshake}
            title={city ? `No angels for this in ${city} yet.` : "No angels for this yet."}
            action={
              <Button asChild size="sm">
                <Link to={{ pathname: paths.beAnAngel, search: new URLSearchParams({ service }).toString() }}>
                  Become the first
                </Link>
              </Button>
            }
          >
            Post it anyway. New angels will see it when they join.
          </EmptyState>
        )}
        {angels.length > 0 && place && !place.place && (
          <Notice tone="warning">
            <p>
              We can't show distances from “{near}”. {place.message}
              {place.choices.length > 0 && " Did you mean:"}
            </p>
            <PlaceChoices
              choices={place.choices}
              onChoose={(label) => {
                saveLocation(label);
                setNear(label);
              }}
            />
          </Notice>
        )}
        {angels.length > 0 && (
          <>
            <ul className={styles.grid} aria-label={`Angels for ${title}`}>
              {angels.map((angel) => (
                <AngelCard key={angel.handle} angel={angel} service={service} lit={lit.has(angel.handle)} />
              ))}
            </ul>
            <p className={styles.hint}>
              We only show approximate locations, never addresses.{" "}
              <Link to={{ pathname: paths.beAnAngel, search: new URLSearchParams({ service }).toString() }}>
                Offer this too
              </Link>
            </p>
          </>
        )}
        {angelsQuery.hasNextPage && (
          <div>
            <Button
              variant="secondary"
              loading={angelsQuery.isFetchingNextPage}
              onClick={() => void angelsQuery.fetchNextPage()}
            >
              Show more
            </Button>
          </div>
        )}
      </div>
    </PageHead>
  );
}
