import { useSearchParams } from "react-router-dom";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import styles from "./angels.module.css";
import { useAngels } from "./get-angels";
import { NeedForm } from "./need-form";

/** Posting a need; `service` and `angel` in the address are taken over. */
export function NeedFormPage() {
  const list = useAngels();
  const [params] = useSearchParams();
  const angel = params.get("angel");
  const services = list.data?.services ?? [];
  const category = params.get("category");
  const service = services.find(({ id }) => id === params.get("service")) ?? services.find((one) => one.category === category);
  return (
    <Page title="Post a need" description="Say what you need a hand with; neighbors make you offers.">
      <div className={`container ${styles.page} ${styles.narrow}`} aria-busy={list.isPending}>
        <header>
          <h1 className={styles.title}>{angel ? "Ask for help" : "Post a need"}</h1>
          <p className={styles.lead}>
            {angel
              ? `Only @${angel} sees this and may make you an offer.`
              : "Say what you need a hand with. Angels near you hear of it and make you offers; you choose one."}
          </p>
        </header>
        {list.isPending && <Skeleton height="30rem" radius="md" />}
        {list.isError && (
          <ErrorState
            title="Angel's List is out of reach"
            message={list.error.message}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        )}
        {list.data && <NeedForm services={services} service={service?.id ?? ""} angel={angel} />}
      </div>
    </Page>
  );
}
