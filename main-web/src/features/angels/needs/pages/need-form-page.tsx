import { useSearchParams } from "react-router-dom";
import { Page } from "@/components/layout/page";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { readSavedLocation } from "@/lib/saved-location";
import { useProfile } from "@/lib/session/get-profile";
import styles from "../../components/angels.module.css";
import { useAngels } from "../../api/get-angels";
import { NeedForm } from "../components/need-form";

/** Posts a need near the user's home; the URL may preselect `service` and `angel`. */
export function NeedFormPage() {
  const list = useAngels();
  const profile = useProfile();
  const [params] = useSearchParams();
  const angel = params.get("angel");
  const services = list.data?.services ?? [];
  const category = params.get("category");
  const service =
    services.find(({ id }) => id === params.get("service")) ?? services.find((one) => one.category === category);
  // Without the profile the form starts with the place that was last chosen on this device. A second attempt to load the
  // profile must not remove the form with what was typed.
  const isPending = list.isPending || !profile.isFetched;
  return (
    <Page title="Post a need" description="Tell us what you need and get offers from neighbors.">
      <div className={`container ${styles.page} ${styles.narrow}`} aria-busy={isPending}>
        <header>
          <h1 className={styles.title}>{angel ? "Ask for help" : "Post a need"}</h1>
          <p className={styles.lead}>
            {angel
              ? `Only @${angel} will see this.`
              : "Tell us what you need. Nearby angels will send offers, and you pick one."}
          </p>
        </header>
        {isPending && <Skeleton height="30rem" radius="md" />}
        {list.isError && (
          <ErrorState
            title="Angel's List didn't load"
            message={list.error.message}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        )}
        {list.data && !isPending && (
          <NeedForm
            services={services}
            service={service?.id ?? ""}
            angel={angel}
            location={profile.data?.location || (readSavedLocation() ?? "")}
          />
        )}
      </div>
    </Page>
  );
}
