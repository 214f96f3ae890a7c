import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import styles from "./angels.module.css";
import { useRemovePhoto } from "./change-need";
import type { Need } from "./get-needs";
import { MorePhotos } from "./more-photos";

const AGREED = ["accepted", "done"]; // an angel chose to help with what they saw

/** The photos of a need; its owner adds more while it is open, and takes them off until an offer is accepted. */
export function NeedPhotos({ need }: { need: Need }) {
  const { id, mine, photos, status } = need;
  const remove = useRemovePhoto();
  const [said, setSaid] = useState("");

  return (
    <>
      {remove.error && <Notice tone="danger">{remove.error.message}</Notice>}
      {photos.length > 0 && (
        <ul className={styles.photos} aria-label="Photos">
          {photos.map((photo, at) => (
            <li key={photo}>
              <a href={photo} target="_blank" rel="noreferrer">
                <img src={photo} alt={`Of what is to be done, ${at + 1} of ${photos.length}`} loading="lazy" />
              </a>
              {mine && !AGREED.includes(status) && (
                <Button
                  size="sm"
                  variant="secondary"
                  className={styles.remove}
                  aria-label={`Remove photo ${at + 1}`}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate({ id, photo }, { onSuccess: () => setSaid(`Photo ${at + 1} was removed.`) })}
                >
                  <Trash2 size={16} aria-hidden="true" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mine && status === "open" && <MorePhotos need={need} />}
      {mine && (
        <p className="visually-hidden" aria-live="polite">
          {said}
        </p>
      )}
    </>
  );
}
