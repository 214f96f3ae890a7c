import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { errorMessage } from "@/lib/errors";
import type { GuruBookingDetails } from "../lib/types";
import { useCreateDeviceLink } from "../api/create-device-link";
import { useRemindParticipant } from "../api/remind-participant";
import { signedText } from "../lib/booking-status";
import styles from "./calendar.module.css";

/** Who takes part in a session that needs waivers, and who of them is covered; nothing for other sessions. */
export function Participants({ booking }: { booking: GuruBookingDetails }) {
  const remind = useRemindParticipant(booking.id);
  const device = useCreateDeviceLink(booking.id);
  if (booking.people.length === 0) return null;
  return (
    <section className={styles.contact} aria-label="Waivers">
      <ul className={styles.people}>
        {booking.people.map((person) => (
          <li key={person.number}>
            <span>
              <strong>{person.name || "A former neighbor"}</strong> <small>{signedText(person)}</small>
            </span>
            <Badge tone={person.covered ? "good" : "warning"}>{person.covered ? "Covered" : "Not yet signed"}</Badge>
            {person.canSend && (
              <Button
                variant="secondary"
                size="sm"
                loading={remind.isPending && remind.variables === person.number}
                onClick={() => remind.mutate(person.number)}
              >
                Email the link again <span className="visually-hidden">to {person.name}</span>
              </Button>
            )}
            {booking.isCustomer && !person.covered && (
              <Button
                variant="secondary"
                size="sm"
                loading={device.isPending && device.variables === person.number}
                onClick={() => device.mutate(person.number)}
              >
                Sign on this device <span className="visually-hidden">for {person.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {device.data && (
        <Notice tone="success">
          <a href={device.data.url} target="_blank" rel="noreferrer">
            Open the waiver to sign
          </a>{" "}
          and hand your device to the person who signs.
        </Notice>
      )}
      {device.isError && <Notice tone="danger">{errorMessage(device.error)}</Notice>}
      {remind.isSuccess && <Notice tone="success">The link is on its way.</Notice>}
      {remind.isError && <Notice tone="danger">{errorMessage(remind.error)}</Notice>}
    </section>
  );
}
