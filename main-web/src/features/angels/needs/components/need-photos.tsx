import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import styles from "../../components/angels.module.css";
import { useDeleteNeedPhoto } from "../api/delete-need-photo";
import type { Need } from "../lib/types";
import { AddPhotosCard } from "./add-photos-card";

const ACCEPTED_STATUSES = ["accepted", "done"]; // An angel has accepted based on these photos.

/** The photos of a need. The owner can add photos while it is open, and remove them until an offer is accepted. */
export function NeedPhotos({ need }: { need: Need }) {
  const { id, mine, photos, status } = need;
  const remove = useDeleteNeedPhoto();
  const [announcement, setAnnouncement] = useState("");

  return (
    <>
      {remove.error && <Notice tone="danger">{remove.error.message}</Notice>}
      {photos.length > 0 && (
        <ul className={styles.photos} aria-label="Photos">
          {photos.map((photo, at) => (
            <li key={photo}>
              <a href={photo} target="_blank" rel="noreferrer">
                <img src={photo} alt={`View of the job, ${at + 1} of ${photos.length}`} loading="lazy" />
              </a>
              {mine && !ACCEPTED_STATUSES.includes(status) && (
                <Button
                  size="sm"
                  variant="secondary"
                  className={styles.remove}
                  aria-label={`Remove photo ${at + 1}`}
                  disabled={remove.isPending}
                  onClick={() =>
                    remove.mutate({ id, photo }, { onSuccess: () => setAnnouncement(`Photo ${at + 1} removed.`) })
                  }
                >
                  <Trash2 size={16} aria-hidden="true" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mine && status === "open" && <AddPhotosCard need={need} />}
      {mine && (
        <p className="visually-hidden" aria-live="polite">
          {announcement}
        </p>
      )}
    </>
  );
}
