import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { SectionCard } from "@/components/ui/section-card";
import { DraftFooter } from "@/components/ui/draft-footer";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { useDraft } from "@/lib/use-draft";
import type { OwnWaiverText, Service, ServiceBooking } from "../lib/types";
import { serviceBookingQuery } from "../api/get-service-booking";
import { waiverTextQuery } from "../api/get-waiver-text";
import { useUpdateServiceBooking } from "../api/update-service-booking";
import { useUpdateWaiverText } from "../api/update-waiver-text";
import {
  bookingErrors,
  bookingPayload,
  typedBooking,
  type BookingErrors,
  type TypedBooking,
} from "../lib/booking-settings";
import { firstWrongField } from "../lib/typed-questions";
import { CancellationFields } from "./cancellation-fields";
import { GroupSizeFields } from "./group-size-fields";
import { OpeningFields } from "./opening-fields";
import { PaymentFields } from "./payment-fields";
import { PlaceFields } from "./place-fields";
import { QuestionsFields } from "./questions-fields";
import { SafetyFields } from "./safety-fields";
import styles from "./service-booking.module.css";
import { ServiceRiskCard } from "./service-risk-card";
import { WaiverTextCard } from "./waiver-text-card";
import { fieldErrors } from "@porchlight/shared/client";

type BookingSettingsFormProps = { service: Service; booking: ServiceBooking; waiverText: OwnWaiverText };

/** How a service is booked, and the guru's waiver text. What is typed stays until it is saved. */
export function BookingSettingsForm({ service, booking, waiverText }: BookingSettingsFormProps) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  const update = useUpdateServiceBooking(service.id);
  const [checked, setChecked] = useState(false);
  const draft = useDraft<ServiceBooking, TypedBooking>({
    resource: booking,
    typedOf: typedBooking,
    reload: () => queries.query({ ...serviceBookingQuery(userId, service.id), staleTime: 0 }),
    save: (values, revision) => update.mutateAsync(bookingPayload(values, revision)),
  });
  const saveText = useUpdateWaiverText();
  const textDraft = useDraft<OwnWaiverText, string>({
    resource: waiverText,
    typedOf: ({ body }) => body,
    reload: () => queries.query({ ...waiverTextQuery(userId), staleTime: 0 }),
    save: (body, revision) => saveText.mutateAsync({ body, revision }),
  });
  const { typed } = draft;
  const set = (part: Partial<TypedBooking>) => draft.change({ ...typed, ...part });
  const errors = bookingErrors(typed);
  const refused: BookingErrors = fieldErrors(draft.error);
  const shown = checked && Object.keys(errors).length > 0 ? errors : refused;

  function check(): boolean {
    setChecked(true);
    const wrong = errors.placeText ? "placeText" : firstWrongField(errors);
    if (wrong) document.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
    return Object.keys(errors).length === 0;
  }

  return (
    <div className={styles.column}>
      <OpeningFields serviceName={service.name} booking={booking} typed={typed} onChange={set} />
      <GroupSizeFields serviceId={service.id} booking={booking} typed={typed} errors={shown} onChange={set} />
      <PlaceFields typed={typed} errors={shown} onChange={set} />
      <QuestionsFields typed={typed} errors={shown} onChange={set} />
      <PaymentFields
        service={service}
        saved={booking.payment}
        typed={typed}
        standardTerms={booking.standardTerms}
        errors={shown}
        onChange={set}
      />
      <SectionCard id="booking-terms" title="Cancellation">
        <CancellationFields standardTerms={booking.standardTerms} typed={typed} errors={shown} onChange={set} />
      </SectionCard>
      <SafetyFields typed={typed} onChange={set} />
      <div className={styles.footer}>
        <DraftFooter
          draft={draft}
          action="Save booking settings"
          changed="The booking settings were"
          saved="Saved. They apply to new bookings."
          check={check}
        />
      </div>
      <ServiceRiskCard serviceId={service.id} />
      <WaiverTextCard text={waiverText} draft={textDraft} />
      <UnsavedGuard unsaved={draft.isDirty || textDraft.isDirty} />
    </div>
  );
}
