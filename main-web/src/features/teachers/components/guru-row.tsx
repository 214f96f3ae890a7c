import { MessageCircle } from "lucide-react";
import { guruSiteUrl } from "@/lib/guru-site";
import { PremiumBadge } from "@/features/billing/contract";
import { Average } from "@/features/reviews/contract";
import { GuruAvatar } from "@/components/guru-avatar";
import { Button } from "@/components/ui/button";
import { isBookable, type BookableGuru, type GuruTeacher } from "../api/get-teachers";
import { NextTimes } from "./next-times";
import styles from "./teachers.module.css";
import { formatMoney } from "@porchlight/shared/format/money";
import { formatDuration } from "@porchlight/shared/format/numbers";

type GuruRowProps = {
  guru: GuruTeacher;
  /** The service that the user asked for, which the contact form starts with. */
  service?: string;
};

/** A guru and the next step: free times of a service, or a message when there are none. */
export function GuruRow({ guru, service = guru.service?.id ?? "" }: GuruRowProps) {
  const contact = `/contact${service && `?${new URLSearchParams({ service }).toString()}`}`;
  return (
    <li className={styles.row}>
      <div className={styles.person}>
        <GuruAvatar label={guru.label} name={guru.name} />
        <h3 className={styles.name}>
          <a href={guruSiteUrl(guru.label)}>{guru.name}</a> {guru.premium && <PremiumBadge />}
        </h3>
      </div>
      {guru.rating && (
        <p>
          <a href={guruSiteUrl(guru.label, "/reviews")}>
            <Average rating={guru.rating} />
            <span className="visually-hidden"> of {guru.name}</span>
          </a>
        </p>
      )}
      <p className={styles.soft}>
        {guru.skills.length > 0 ? `Teaches ${guru.skills.slice(0, 3).join(", ")}` : guru.tagline}
      </p>
      {isBookable(guru) ? (
        <>
          <p>{serviceText(guru)}</p>
          <NextTimes guru={guru} />
        </>
      ) : (
        <p>You can't book this online right now. Send a message instead.</p>
      )}
      {guru.starts.length === 0 && (
        <div>
          <Button asChild size="sm">
            <a href={guruSiteUrl(guru.label, contact)}>
              <MessageCircle size={16} aria-hidden="true" />
              Message {guru.name}
            </a>
          </Button>
        </div>
      )}
    </li>
  );
}

/** Describe the service as "One-on-One Consultation · 1 h · $75 · Online". */
export function serviceText({ service, city }: BookableGuru): string {
  const price = service.priceCents > 0 ? formatMoney(service.priceCents, service.currency) : "Free";
  const place = service.place === "online" ? "Online" : city;
  return [service.name, formatDuration(service.minutes), price, place].filter(Boolean).join(" · ");
}
