import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { paths } from "@/config/paths";
import { placeOf, PLACES } from "@/lib/session-places";
import { RadioGroup } from "@/components/ui/radio-group";
import { SectionCard } from "@/components/ui/section-card";
import { CheckField, FieldPair } from "@/components/ui/field-pair";
import { AffectedBookings } from "@/features/bookings/contract";
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
  changedGroup,
  typedBooking,
  type BookingErrors,
  type TypedBooking,
} from "../lib/booking-settings";
import { CancellationFields } from "./cancellation-fields";
import styles from "./service-booking.module.css";
import { WaiverTextCard } from "./waiver-text-card";
import { fieldErrors } from "@porchlight/shared/client";

type BookingFormProps = { service: Service; booking: ServiceBooking; waiverText: OwnWaiverText };

/** How a service is booked, and the guru's waiver text. What is typed stays until it is saved. */
export function BookingForm({ service, booking, waiverText }: BookingFormProps) {
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
  const place = placeOf(typed.place);
  const isPlaceNeeded = typed.open && place.missing !== undefined;

  function check(): boolean {
    setChecked(true);
    if (errors.placeText) document.querySelector<HTMLElement>("textarea[name=placeText]")?.focus();
    return Object.keys(errors).length === 0;
  }

  return (
    <div className={styles.column}>
      <SectionCard id="booking-open" title="Booking">
        {booking.minutes === null ? (
          <Notice tone="info">
            “{service.name}” has no length in minutes, so it can't be booked by time.{" "}
            <Link to={paths.guruServices}>Set its length in minutes</Link> first.
          </Notice>
        ) : (
          <CheckField
            id="booking-is-open"
            checked={typed.open}
            onChange={(event) => set({ open: event.target.checked })}
            label="Open for booking"
          />
        )}
        <RadioGroup
          label="Start times"
          value={typed.starts}
          onChange={(starts) => set({ starts })}
          choices={[
            { value: "hours", label: "Any free time in my hours", hint: "Good for one-on-one sessions." },
            { value: "fixed", label: "Dates and times I set", hint: "Good for classes and workshops." },
          ]}
        />
        <RadioGroup
          label="When someone books"
          value={typed.approval}
          onChange={(approval) => set({ approval })}
          choices={[
            { value: "instant", label: "Confirm right away" },
            { value: "request", label: "I decide", hint: "You accept or decline each request within 24 hours." },
          ]}
        />
      </SectionCard>

      <SectionCard id="booking-group" title="Group size and breaks">
        <FieldPair>
          <Field label="Spots in a session" hint="1 for one-on-one." error={shown.capacity}>
            <Input
              inputMode="numeric"
              value={typed.capacity}
              onChange={(event) => set({ capacity: event.target.value })}
            />
          </Field>
          <Field label="Spots one neighbor can book" error={shown.partyMax}>
            <Input
              inputMode="numeric"
              value={typed.partyMax}
              onChange={(event) => set({ partyMax: event.target.value })}
            />
          </Field>
          <Field label="Minutes free before" hint="To set up." error={shown.setupMinutes}>
            <Input
              inputMode="numeric"
              value={typed.setupMinutes}
              onChange={(event) => set({ setupMinutes: event.target.value })}
            />
          </Field>
          <Field label="Minutes free after" hint="To clean up." error={shown.cleanupMinutes}>
            <Input
              inputMode="numeric"
              value={typed.cleanupMinutes}
              onChange={(event) => set({ cleanupMinutes: event.target.value })}
            />
          </Field>
        </FieldPair>
        <AffectedBookings rules={changedGroup(service.id, booking, typed)} text="These sessions stay as booked:" />
      </SectionCard>

      <SectionCard id="booking-place" title="Place">
        <Field label="Where you meet">
          <Select value={typed.place} onChange={(event) => set({ place: event.target.value as TypedBooking["place"] })}>
            {PLACES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label={place.text}
          optional={!isPlaceNeeded}
          hint="Only neighbors who booked see this."
          error={shown.placeText}
        >
          <TextArea
            name="placeText"
            rows={2}
            value={typed.placeText}
            onChange={(event) => set({ placeText: event.target.value })}
          />
        </Field>
        <Field
          label="What should I bring?"
          optional
          hint="Your answer for neighbors. They see it before they book."
          error={shown.bring}
        >
          <TextArea
            rows={2}
            maxLength={300}
            value={typed.bring}
            onChange={(event) => set({ bring: event.target.value })}
          />
        </Field>
      </SectionCard>

      <SectionCard id="booking-terms" title="Cancellation">
        <CancellationFields standardTerms={booking.standardTerms} typed={typed} errors={shown} onChange={set} />
      </SectionCard>

      <SectionCard id="booking-safety" title="Safety">
        <Field label="Risk level" hint="Change it if this service is riskier or safer than your category.">
          <Select value={typed.risk} onChange={(event) => set({ risk: event.target.value as TypedBooking["risk"] })}>
            <option value="">Same as my category</option>
            <option value="low">Low</option>
            <option value="medium">Medium</option>
            <option value="high">High</option>
            <option value="extreme">Extreme</option>
          </Select>
        </Field>
        <RadioGroup
          label="Liability waiver"
          value={typed.waiver}
          onChange={(waiver) => set({ waiver })}
          choices={[
            { value: "risk", label: "Only for high risk", hint: "High and extreme risk always need a waiver." },
            { value: "always", label: "Always" },
            { value: "signed", label: "Always, with a signature" },
          ]}
        />
      </SectionCard>

      <div className={styles.footer}>
        <DraftFooter
          draft={draft}
          action="Save booking settings"
          changed="The booking settings were"
          saved="Saved. They apply to new bookings."
          check={check}
        />
      </div>
      <WaiverTextCard text={waiverText} draft={textDraft} />
      <UnsavedGuard unsaved={draft.isDirty || textDraft.isDirty} />
    </div>
  );
}
