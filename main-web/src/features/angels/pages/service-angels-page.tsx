import { HeartHandshake } from "lucide-react";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { FIRST, useFirstTexts } from "@/lib/first-texts";
import { readSavedLocation, saveLocation } from "@/lib/saved-location";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/layout/page-head";
import { ListRowSkeletons } from "@/components/ui/list-row";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { AngelRows } from "../components/angel-rows";
import styles from "../components/angels.module.css";
import { CityFilter } from "../components/city-filter";
import { UnknownPlaceNotice } from "../components/unknown-place-notice";
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
  const texts = useFirstTexts();
  const title = first?.title ?? texts?.heading ?? "Angels";
  const lead = first?.description ?? texts?.lead;
  const unknown = angelsQuery.error instanceof ApiError && angelsQuery.error.status === 404;
  const offer = { pathname: paths.beAnAngel, search: new URLSearchParams({ service }).toString() };
  const post = { pathname: paths.postNeed, search: new URLSearchParams({ service }).toString() };

  return (
    <PageHead title={`${title} · Angel's List`} description={first?.description ?? "Find a neighbor who can help."}>
      <div className={`container ${styles.page}`} aria-busy={angelsQuery.isPending}>
        <header className={styles.top}>
          <div>
            <p>
              <Link to={paths.angelsList}>Angel's List</Link>
            </p>
            <h1 className={styles.title} {...FIRST.heading}>
              {title}
            </h1>
            {lead && (
              <p className={styles.lead} {...FIRST.lead}>
                {lead}
              </p>
            )}
          </div>
          {!unknown && (
            <Button asChild variant="secondary">
              <Link to={post}>Post a need</Link>
            </Button>
          )}
        </header>
        {first && first.cities.length > 1 && (
          <CityFilter
            cities={first.cities.map((place) => place.city)}
            city={city}
            onChange={(chosen) => setParams(chosen ? { city: chosen } : {}, { preventScrollReset: true })}
          />
        )}
        {angelsQuery.isPending && <ListRowSkeletons count={4} />}
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
                <Link to={offer}>Become the first</Link>
              </Button>
            }
          >
            Post it anyway. New angels will see it when they join.
          </EmptyState>
        )}
        {angels.length > 0 && place && !place.place && (
          <UnknownPlaceNotice
            typed={near}
            match={place}
            onChoose={(label) => {
              saveLocation(label);
              setNear(label);
            }}
          />
        )}
        {angels.length > 0 && (
          <>
            <AngelRows angels={angels} service={service} label={`Angels for ${title}`} />
            <p className={styles.hint}>
              We only show approximate locations, never addresses. <Link to={offer}>Offer this too</Link>
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
