import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Hint } from "@/components/ui/hint";
import { errorMessage } from "@/lib/errors";
import type { GuruBookingDetails } from "../lib/types";
import { useEmergencyContact } from "../api/get-emergency-contact";
import { contactWindow } from "../lib/contact-window";
import styles from "./calendar.module.css";
import { ApiError } from "@porchlight/shared/client";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

/** The emergency contacts from a risky session's waivers, around the session only; nothing for other sessions. */
export function EmergencyContact({ booking }: { booking: GuruBookingDetails }) {
  const [now] = useState(Date.now);
  const contact = useEmergencyContact(booking.id);
  const { state, opensAt } = contactWindow(booking, now);
  if (state === "none") return null;
  if (state === "later") {
    return (
      <Hint>
        You can see the emergency contact from {formatSessionStart(opensAt, booking.zone)}, a day before the session.
      </Hint>
    );
  }
  if (contact.data) {
    const { participants } = contact.data;
    return (
      <section className={styles.contact} aria-label="Emergency contact">
        {participants.map(({ participantName, name, phone, relationship }, index) => (
          <p key={index} role="status">
            {booking.party === 1 ? "Emergency contact" : `Emergency contact of ${participantName}`}:{" "}
            <strong>{name}</strong>
            {relationship && ` (${relationship})`}, <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>
          </p>
        ))}
        <Hint>{booking.personName} can see that you viewed it.</Hint>
      </section>
    );
  }
  if (contact.isSuccess) return <Notice>There's no emergency contact for this session.</Notice>;
  return (
    <section className={styles.contact} aria-label="Emergency contact">
      {contact.isError && <Notice tone="danger">{contactErrorText(contact.error)}</Notice>}
      <Button variant="secondary" loading={contact.isPending} onClick={() => contact.mutate()}>
        Show emergency contact
      </Button>
      <Hint>We record each view, and {booking.personName} can see it.</Hint>
    </section>
  );
}

/** Say why the contact is not shown. Staff who impersonate the guru must not see it. */
function contactErrorText(reason: Error): string {
  const isHidden = reason instanceof ApiError && reason.code === "contact_hidden";
  return isHidden ? "Only the guru can see emergency contacts." : errorMessage(reason);
}
