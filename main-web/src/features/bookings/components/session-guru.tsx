import { MessageCircle } from "lucide-react";
import { useFlag } from "@/lib/feature-flags";
import { guruSiteUrl, serviceTimesUrl } from "@/lib/guru-site";
import { MessageLink } from "@/features/messages/contract";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { Booking } from "../lib/types";
import styles from "./sessions.module.css";

type SessionGuruProps = {
  booking: Pick<Booking, "id" | "guruName" | "guruLabel" | "serviceId" | "status">;
  /** The session is the page of a link, whose reader may have no account. */
  isLink?: boolean;
};

/** With whom a session is: the guru's site, a message to them, and the times of the same service. */
export function SessionGuru({ booking, isLink = false }: SessionGuruProps) {
  const { guruName, guruLabel, serviceId, status } = booking;
  const hasMessages = useFlag("messaging");
  return (
    <Card as="section" className={styles.terms} aria-labelledby="guru">
      <h2 id="guru" className={styles.name}>
        <a href={guruSiteUrl(guruLabel)}>{guruName}</a>
      </h2>
      {status === "confirmed" && !hasMessages && <p>To write to {guruName}, reply to the email about your booking.</p>}
      <div className={styles.buttons}>
        {isLink ? (
          <Button asChild variant="secondary" size="sm">
            <a href={guruSiteUrl(guruLabel, "/contact")}>
              <MessageCircle size={16} aria-hidden="true" />
              Message {guruName}
            </a>
          </Button>
        ) : (
          <MessageLink to={{ kind: "booking", id: booking.id }} name={guruName} isWholeName />
        )}
        <Button asChild variant="secondary" size="sm">
          <a href={serviceTimesUrl(guruLabel, serviceId)}>Book again</a>
        </Button>
      </div>
    </Card>
  );
}
