import { guruSiteUrl } from "@/lib/guru-site";
import type { GuruTeacher } from "../api/get-teachers";
import { NextTimes } from "./next-times";
import styles from "./teachers.module.css";
import { formatMoney } from "@porchlight/shared/format/money";
import { formatDuration } from "@porchlight/shared/format/numbers";

/** A guru who can be booked: who, the service, and the next free times. */
export function GuruRow({ guru }: { guru: GuruTeacher }) {
  return (
    <li className={styles.row}>
      <h3 className={styles.name}>
        <a href={guruSiteUrl(guru.label)}>{guru.name}</a>
      </h3>
      <p className={styles.soft}>
        {guru.skills.length > 0 ? `Teaches ${guru.skills.slice(0, 3).join(", ")}` : guru.tagline}
      </p>
      <p>{serviceText(guru)}</p>
      <NextTimes guru={guru} />
    </li>
  );
}

/** Describe the service as "One-on-One Consultation · 1 h · $75 · Online". */
export function serviceText({ service, city }: GuruTeacher): string {
  const price = service.priceCents > 0 ? formatMoney(service.priceCents, service.currency) : "Free";
  const place = service.place === "online" ? "Online" : city;
  return [service.name, formatDuration(service.minutes), price, place].filter(Boolean).join(" · ");
}
