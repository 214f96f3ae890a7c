import { Link, useSearchParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { Badge } from "../../ui/badge";
import { Field, Select } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import { Rating } from "./angel-card";
import styles from "./angels.module.css";
import { useAngels } from "./get-angels";
import { HelpForm } from "./help-form";
import { useOwnServices } from "./own-services";

/** Becoming an angel: what one helps with, for how much, how far and when. */
export function BeAnAngelPage() {
  const list = useAngels();
  const own = useOwnServices();
  const [params, setParams] = useSearchParams();
  const services = list.data?.services ?? [];
  const mine = own.data?.services ?? [];
  const chosen =
    services.find(({ id }) => id === params.get("service")) ??
    services.find(({ id }) => id === mine[0]?.serviceId) ??
    services[0];
  const failed = list.isError ? list : own;
  const entry = mine.find(({ serviceId }) => serviceId === chosen?.id);

  return (
    <Page title="Be an angel" description="Help your neighbors with what you are good at, and earn with it.">
      <div className={`container ${styles.page} ${styles.narrow}`} aria-busy={list.isPending || own.isPending}>
        <header>
          <p>
            <Link to={paths.angelsList}>Angel's List</Link>
          </p>
          <h1 className={styles.title}>Be an angel</h1>
          <p className={styles.lead}>
            Say what you help with. Neighbors near you find you, and we tell you when somebody needs just that. Reading needs
            and making offers is free.
          </p>
        </header>
        {failed.isError && !failed.data && (
          <ErrorState
            title="Your services are out of reach"
            message={failed.error.message}
            onRetry={() => void failed.refetch()}
            retrying={failed.isFetching}
          />
        )}
        {(list.isPending || own.isPending) && <Skeleton height="24rem" radius="md" />}
        {own.data && !own.data.public && mine.length > 0 && (
          <Notice tone="lamp">
            Your profile is hidden, so neighbors cannot find you here. <Link to={paths.profile}>Show it</Link>
          </Notice>
        )}
        {mine.length > 0 && (
          <ul className={styles.list} aria-label="What you help with">
            {mine.map((service) => (
              <li key={service.serviceId} className={styles.person}>
                <div>
                  <Link to={{ search: new URLSearchParams({ service: service.serviceId }).toString() }}>{service.title}</Link>{" "}
                  {!service.active && <Badge>Paused</Badge>}
                  <Rating rating={service.rating} ratings={service.ratings} jobs={service.jobs} />
                </div>
              </li>
            ))}
          </ul>
        )}
        {own.data && chosen && (
          <>
            <Field label="What you help with">
              <Select value={chosen.id} onChange={(event) => setParams({ service: event.target.value }, { preventScrollReset: true })}>
                {services.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </Select>
            </Field>
            <HelpForm key={`${chosen.id} ${entry ? "own" : "new"}`} service={chosen} own={entry} />
          </>
        )}
      </div>
    </Page>
  );
}
