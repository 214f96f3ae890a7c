import { SearchX } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { useAddress } from "../../kit/use-address";
import { useAddressText } from "../../kit/use-address-text";
import { useAskFor } from "../../kit/use-ask-for";
import { Button } from "../../ui/button";
import { HeroHeader } from "../../ui/hero-header";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import styles from "./angels-page.module.css";
import { Filters } from "./filters";
import { FIRST_CATEGORIES, FIRST_CITIES, filterServices, useAngels, type AngelService } from "./get-angels";
import { ServiceCard } from "./service-card";

/** Angel's List: local help and odd jobs (SPEC 2.9). The filters live in the address. */
export function AngelsPage() {
  const angels = useAngels();
  const [params, setParams] = useAddress();
  const [search, setSearch] = useAddressText("search");
  const cities = angels.data?.cities ?? FIRST_CITIES;
  const categories = angels.data?.categories ?? FIRST_CATEGORIES;
  const city = cities.find((name) => name === params.get("city")) ?? "";
  const category = categories.find((name) => name === params.get("category")) ?? "";
  const services = filterServices(angels.data?.services ?? [], { search, city, category });
  const askFor = useAskFor();

  const choose = (name: "city" | "category", value: string) =>
    setParams(
      (now) => {
        if (value) now.set(name, value);
        else now.delete(name);
        return now;
      },
      { preventScrollReset: true },
    );

  const clear = () => {
    setSearch("");
    setParams(() => new URLSearchParams(), { preventScrollReset: true });
  };

  const ask = ({ title, category: of }: AngelService, message: string) =>
    askFor({ action: "book-service", category: of, message, signIn: `Please sign in to book ${title}.` });

  return (
    <Page
      title="Angel's List"
      description="Local help and odd jobs by neighbors: handyman services, moving, cleaning, yard work, pet sitting and errands."
    >
      <HeroHeader
        title="Angel's List"
        lead="A hand with what has to be done, from neighbors who are around the corner anyway."
      >
        <div className={styles.ways}>
          <Button asChild>
            <Link to={paths.postNeed}>Post a need</Link>
          </Button>
          <Button asChild variant="secondary">
            <Link to={paths.beAnAngel}>Be an angel</Link>
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
          onCity={(value) => choose("city", value)}
          categories={categories}
          category={category}
          onCategory={(value) => choose("category", value)}
        />
        {angels.isPending && <Loading />}
        {angels.isError && (
          <ErrorState
            title="Angel's List is out of reach"
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
                  <ServiceCard
                    key={service.id}
                    service={service}
                    city={city}
                    onBook={() => ask(service, `Book ${service.title}`)}
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </div>
    </Page>
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
