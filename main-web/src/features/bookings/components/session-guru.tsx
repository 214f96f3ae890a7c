import { MessageCircle } from "lucide-react";
import { useFlag } from "@/lib/feature-flags";
import { guruSiteUrl, serviceTimesUrl } from "@/lib/guru-site";
import { MessageLink } from "@/features/messages/contract";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { GuruFace } from "@/components/guru-face";
import type { OwnBooking } from "../lib/types";
import styles from "./sessions.module.css";

type SessionGuruProps = {
  booking: Pick<OwnBooking, "id" | "guru" | "guruName" | "guruLabel" | "serviceId" | "status">;
  /** The session is the page of a link, whose reader may have no account. */
  isLink?: boolean;
  /** False below a frame that shows the face already. */
  hasFace?: boolean;
};

/** With whom a session is: the guru's face and site, a message to them, and the times of the same service. */
export function SessionGuru({ booking, isLink = false, hasFace = true }: SessionGuruProps) {
  const { guru, guruName, guruLabel, serviceId, status } = booking;
  const hasMessages = useFlag("messaging");
  return (
    <Card as="section" className={styles.terms} aria-labelledby="guru">
      <div className={styles.guru}>
        {hasFace && <GuruFace guru={guru} />}
        <div>
          <h2 id="guru" className={styles.name}>
            {guruName}
          </h2>
          <a href={guru.url}>See the site</a>
        </div>
      </div>
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
