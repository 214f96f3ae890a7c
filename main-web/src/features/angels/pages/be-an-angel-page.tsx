import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { PorchLightCard } from "@/features/porch-lights/contract";
import { Rating } from "@/features/reviews/contract";
import { Badge } from "@/components/ui/badge";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import styles from "../components/angels.module.css";
import { useAngels } from "../api/get-angels";
import { ServiceOfferForm } from "../components/service-offer-form";
import { useOwnServices } from "../api/get-own-services";

/** Becoming an angel: services, price, distance and availability. */
export function BeAnAngelPage() {
  const list = useAngels();
  const ownServices = useOwnServices();
  const [params, setParams] = useSearchParams();
  const services = list.data?.services ?? [];
  const ownEntries = ownServices.data?.services ?? [];
  const selected =
    services.find(({ id }) => id === params.get("service")) ??
    services.find(({ id }) => id === ownEntries[0]?.serviceId) ??
    services[0];
  const failed = list.isError ? list : ownServices;
  const entry = ownEntries.find(({ serviceId }) => serviceId === selected?.id);

  return (
    <PageHead title="Become an angel" description="Help your neighbors with what you're good at, and get paid for it.">
      <div className={`container ${styles.page} ${styles.narrow}`} aria-busy={list.isPending || ownServices.isPending}>
        <header>
          <p>
            <Link to={paths.angelsList}>Angel's List</Link>
          </p>
          <h1 className={styles.title}>Become an angel</h1>
          <p className={styles.lead}>
            Choose what you can help with. Neighbors will find you, and we'll let you know when someone nearby needs
            your help. It's free to browse needs and make offers.
          </p>
        </header>
        {failed.isError && !failed.data && (
          <ErrorState
            title="We couldn't load your services"
            message={failed.error.message}
            onRetry={() =>
              void Promise.all([list, ownServices].filter(({ isError }) => isError).map(({ refetch }) => refetch()))
            }
            retrying={failed.isFetching}
          />
        )}
        {(list.isPending || ownServices.isPending) && <Skeleton height="24rem" radius="md" />}
        {ownServices.data && !ownServices.data.public && ownEntries.length > 0 && (
          <Notice tone="warning">
            Your profile is private, so neighbors can't find you here. <Link to={paths.profile}>Make it public</Link>
          </Notice>
        )}
        {ownEntries.length > 0 && (
          <ul className={styles.list} aria-label="What you can help with">
            {ownEntries.map((service) => (
              <li key={service.serviceId} className={styles.person}>
                <div>
                  <Link to={{ search: new URLSearchParams({ service: service.serviceId }).toString() }}>
                    {service.title}
                  </Link>{" "}
                  {!service.active && <Badge>Paused</Badge>}
                  <Rating rating={service.rating} ratings={service.ratings} jobs={service.jobs} />
                </div>
              </li>
            ))}
          </ul>
        )}
        <PorchLightCard />
        {ownServices.data && selected && (
          <>
            <Field label="What you can help with">
              <Select
                value={selected.id}
                onChange={(event) => setParams({ service: event.target.value }, { preventScrollReset: true })}
              >
                {services.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </Select>
            </Field>
            <ServiceOfferForm key={`${selected.id} ${entry ? "own" : "new"}`} service={selected} current={entry} />
          </>
        )}
      </div>
    </PageHead>
  );
}
