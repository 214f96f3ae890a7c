import { readSavedLocation } from "@/lib/saved-location";
import { useProfile } from "@/lib/session/get-profile";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useAngels } from "../../api/get-angels";
import { NeedForm } from "./need-form";

type NeedRequestProps = {
  /** The service to start with; without it, the first of the category. */
  service: string;
  category: string;
  /** What is needed, as a link to the form says. */
  title?: string;
  /** The handle of the only angel who gets the request. */
  angel?: string | null;
};

/** The form of a need, with the service, and the place of the user's profile or of this device, filled in. */
export function NeedRequest({ service, category, title = "", angel = null }: NeedRequestProps) {
  const list = useAngels();
  const profile = useProfile();
  if (list.data && profile.isFetched) {
    const { services } = list.data;
    const chosen = services.find(({ id }) => id === service) ?? services.find((one) => one.category === category);
    const place = profile.data?.location.trim() || readSavedLocation() || "";
    return <NeedForm services={services} service={chosen?.id ?? ""} title={title} place={place} angel={angel} />;
  }
  if (list.isError) {
    return (
      <ErrorState
        title="Angel's List didn't load"
        message={list.error.message}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  return (
    <div aria-busy="true">
      <Skeleton height="30rem" radius="md" />
    </div>
  );
}
