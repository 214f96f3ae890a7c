import { useParams } from "react-router-dom";
import { BackLink } from "@/components/ui/back-link";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { paths } from "@/config/paths";
import { PageLead, PageTitle } from "@/components/ui/page-header";
import { Stack } from "@/components/ui/stack";
import { useCalendar } from "@/features/hours/contract";
import { useServiceBooking } from "../api/get-service-booking";
import { useServices } from "../api/get-services";
import { useOwnWaiverText } from "../api/get-waiver-text";
import { BookingSettingsForm } from "../components/booking-settings-form";
import { FixedStartsCard } from "../components/fixed-starts-card";
import styles from "../components/service-booking.module.css";

/** How a service is booked: times, group size, place, cancellation terms, waiver. */
export function ServiceBookingPage() {
  const { id = "" } = useParams();
  const services = useServices();
  const booking = useServiceBooking(id);
  const calendar = useCalendar();
  const waiverText = useOwnWaiverText();
  const parts = [services, booking, calendar, waiverText];
  const service = services.data?.services.find((each) => each.id === id);
  const failed = parts.find(({ isError, data }) => isError && !data);
  const isMissing = services.data !== undefined && !service;
  return (
    <PageHead
      title={service ? `Booking of ${service.name}` : "Booking"}
      description="Set how neighbors book a service."
    >
      <header>
        <p>
          <BackLink to={paths.guruServices}>Services</BackLink>
        </p>
        <PageTitle>{service?.name ?? "Booking"}</PageTitle>
        <PageLead>How neighbors book this service.</PageLead>
      </header>
      {isMissing && <p>This service doesn't exist anymore.</p>}
      {!isMissing && failed && (
        <ErrorState
          title="We couldn't load the booking settings"
          message={failed.error?.message ?? ""}
          onRetry={() => void Promise.all(parts.map((part) => part.refetch()))}
          retrying={parts.some(({ isFetching }) => isFetching)}
        />
      )}
      {!isMissing && !failed && !(service && booking.data && calendar.data && waiverText.data) && (
        <Stack close aria-busy="true">
          <Skeleton height="16rem" radius="md" />
          <Skeleton height="12rem" radius="md" />
        </Stack>
      )}
      {service && booking.data && calendar.data && waiverText.data && (
        <div className={styles.column}>
          {booking.data.starts === "fixed" && <FixedStartsCard serviceId={id} zone={calendar.data.zone} />}
          <BookingSettingsForm service={service} booking={booking.data} waiverText={waiverText.data} />
        </div>
      )}
    </PageHead>
  );
}
