import { useNavigate } from "react-router-dom";
import { Notice } from "@/components/ui/notice";
import { serviceTimesUrl } from "@/lib/guru-site";
import { Button } from "@/components/ui/button";
import { useCreateHold } from "../api/create-hold";
import type { BookableGuru } from "../api/get-teachers";
import styles from "./teachers.module.css";
import { formatSessionStart, viewerZone } from "@porchlight/shared/format/session-times";

/** A guru's next free times. Pressing one keeps it and opens the booking page; a link leads to all times. */
export function NextTimes({ guru }: { guru: BookableGuru }) {
  const hold = useCreateHold(guru);
  const navigate = useNavigate();
  const { id, name, place, zone } = guru.service;
  const shownZone = place === "online" ? viewerZone() : zone;
  return (
    <>
      {guru.starts.length === 0 && <p className={styles.soft}>No free times right now.</p>}
      <ul className={styles.chips} aria-label={`Next times for ${name} with ${guru.name}`}>
        {guru.starts.map((start) => (
          <li key={start}>
            <Button
              variant="secondary"
              loading={hold.isPending && hold.variables === start}
              disabled={hold.isPending || hold.isSuccess}
              onClick={() =>
                hold.mutate(start, { onSuccess: ({ token }) => void navigate(`/book/${encodeURIComponent(token)}`) })
              }
            >
              {formatSessionStart(start, shownZone)}
            </Button>
          </li>
        ))}
        <li>
          <a
            className={styles.all}
            href={serviceTimesUrl(guru.label, id)}
            aria-label={`All times for ${name} with ${guru.name}`}
          >
            All times
          </a>
        </li>
      </ul>
      {hold.isError && <Notice tone="danger">{hold.error.message}</Notice>}
    </>
  );
}
