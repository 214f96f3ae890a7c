import { SearchX } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { useRequestAction } from "@/lib/use-request-action";
import { Button } from "@/components/ui/button";
import { HeroHeader } from "@/components/layout/hero-header";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import styles from "./angels-page.module.css";
import { PAGE_HEADS } from "../page-heads";
import { Filters } from "../components/filters";
import { FIRST_CATEGORIES, FIRST_CITIES, filterServices, useAngels, type AngelService } from "../api/get-angels";
import { ServiceCard } from "../components/service-card";

/** Angel's List: local help and odd jobs (SPEC 2.9). The filters are in the URL. */
export function AngelsPage() {
  const angels = useAngels();
  const [params, setParams] = useSearchParamsState();
  const [search, setSearch] = useSearchParamsText("search");
  const cities = angels.data?.cities ?? FIRST_CITIES;
  const categories = angels.data?.categories ?? FIRST_CATEGORIES;
  const city = cities.find((name) => name === params.get("city")) ?? "";
  const category = categories.find((name) => name === params.get("category")) ?? "";
  const services = filterServices(angels.data?.services ?? [], { search, city, category });
  const askFor = useRequestAction();

  const setFilter = (name: "city" | "category", value: string) =>
    setParams(
      (current) => {
        if (value) current.set(name, value);
        else current.delete(name);
        return current;
      },
      { preventScrollReset: true },
    );

  const clear = () => {
    setSearch("");
    setParams(() => new URLSearchParams(), { preventScrollReset: true });
  };

  const requestBooking = ({ id, title, category: of }: AngelService) =>
    askFor(
      { action: "book-service", category: of, service: id, message: `Book ${title}` },
      `Please sign in to book ${title}.`,
    );

  return (
    <PageHead {...PAGE_HEADS[paths.angelsList]}>
      <HeroHeader title="Angel's List" lead="Help around the house from neighbors around the corner.">
        <div className={styles.ways}>
          <Button asChild>
            <Link to={paths.postNeed}>Post a need</Link>
          </Button>
          <Button asChild variant="secondary">
            <Link to={paths.beAnAngel}>Become an angel</Link>
          </Button>
          <Button asChild variant="ghost">
            <Link to={paths.needs}>See what neighbors need</Link>
          </Button>
        </div>
      </HeroHeader>
      <div className={`container ${styles.content}`}>
        <Filters
          search={search}
          onSearch={setSearch}
          cities={cities}
          city={city}
          onCity={(value) => setFilter("city", value)}
          categories={categories}
          category={category}
          onCategory={(value) => setFilter("category", value)}
        />
        {angels.isPending && <Loading />}
        {angels.isError && (
          <ErrorState
            title="Angel's List didn't load"
            message={angels.error.message}
            onRetry={() => void angels.refetch()}
            retrying={angels.isFetching}
          />
        )}
        {angels.isSuccess && (
          <>
            <p className="visually-hidden" role="status">
              {services.length} {services.length === 1 ? "service" : "services"}
            </p>
            {services.length === 0 ? (
              <EmptyState
                icon={SearchX}
                title="No services found matching your criteria."
                action={
                  <Button variant="secondary" size="sm" onClick={clear}>
                    Clear filters
                  </Button>
                }
              />
            ) : (
              <ul className={styles.grid}>
                {services.map((service) => (
                  <ServiceCard key={service.id} service={service} city={city} onBook={() => requestBooking(service)} />
                ))}
              </ul>
            )}
          </>
        )}
      </div>
    </PageHead>
  );
}

function Loading() {
  return (
    <div className={styles.grid}>
      <p className="visually-hidden" role="status">
        Loading services...
      </p>
      {[1, 2, 3, 4, 5, 6].map((n) => (
        <Skeleton key={n} height="17rem" radius="md" />
      ))}
    </div>
  );
}
