import { useState } from "react";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import { useConsole } from "@/features/console/contract";
import { personName } from "@/lib/person-name";
import { leftText } from "../../lib/package-texts";
import styles from "../components/calendar.module.css";
import { CustomerDialog } from "../components/customer-dialog";
import type { GuruBookingDetails } from "../lib/types";
import { GivePersonDialog } from "./give-person-dialog";
import { usePersonGrants } from "./packages-api";
import type { Grant } from "./types";

/** The packages of a booking's person: give one, and book with it for a customer without an account. */
export function PersonPackages({ booking }: { booking: GuruBookingDetails }) {
  const grants = usePersonGrants(booking.id);
  const { status } = useConsole();
  const [isGiving, setIsGiving] = useState(false);
  const [bookingWith, setBookingWith] = useState<Grant | null>(null);
  const person = personName(booking);
  const list = grants.data?.grants ?? [];
  return (
    <section className={styles.contact} aria-label="Packages">
      <LoadNotice what="packages" queries={[grants]} />
      {list.length > 0 && (
        <ul className={styles.people}>
          {list.map((grant) => (
            <li key={grant.id}>
              <span>
                <strong>{grant.name}</strong> <small>{leftText(grant)}</small>
              </span>
              {grant.isCustomer && status === "active" && (
                <Button variant="secondary" size="sm" onClick={() => setBookingWith(grant)}>
                  Book with it <span className="visually-hidden">for {person}</span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button variant="secondary" size="sm" onClick={() => setIsGiving(true)}>
          Give a package <span className="visually-hidden">to {person}</span>
        </Button>
      </div>
      {isGiving && <GivePersonDialog booking={booking} onClose={() => setIsGiving(false)} />}
      {bookingWith && <CustomerDialog grant={bookingWith} onClose={() => setBookingWith(null)} />}
    </section>
  );
}
