import { ArrowDown, ArrowUp, ImagePlus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { MOST_PHOTOS } from "../../kit/pictures";
import { usePhotoSending } from "../../kit/use-photo-sending";
import { Button } from "../../ui/button";
import { Field, Input } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { PictureFiles } from "../../ui/picture-files";
import { UploadProgress } from "../../ui/upload-progress";
import type { Listing, ListingPhoto } from "./get-listing";
import { useAddPhoto, useArrangePhotos, useRemovePhoto } from "./my-skills";
import styles from "./photos.module.css";

const WORDS = 200;

/** The photos of one's listing: added, put in order, described, removed. The first one stands on cards. */
export function PhotoEditor({ listing }: { listing: Listing }) {
  const { id, title, photos } = listing;
  const add = useAddPhoto();
  const arrange = useArrangePhotos();
  const remove = useRemovePhoto();
  const file = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  const failure = arrange.error ?? remove.error;

  const { sending, refusals, send } = usePhotoSending("listing", photos.length, async (photo, report) => {
    await add.mutateAsync({ id, photo, report });
    setSaid(`${photo.name} was added.`);
  });

  const rearrange = (order: ListingPhoto[], then: string) =>
    arrange.mutate({ id, photos: order.map((photo) => ({ id: photo.id, alt: photo.alt })) }, { onSuccess: () => setSaid(then) });

  function move(from: number, to: number) {
    const order = [...photos];
    const [moved] = order.splice(from, 1);
    if (moved) rearrange([...order.slice(0, to), moved, ...order.slice(to)], `Photo ${from + 1} is photo ${to + 1} now.`);
  }

  return (
    <div className={styles.editor} role="group" aria-label={`Photos of ${title}`}>
      <div>
        <h3 className={styles.heading}>Photos</h3>
        <p className={styles.hint}>
          {photos.length === 0 ? "Up to four. People look at listings with a photo first." : "The first one stands on cards, too."}
        </p>
      </div>
      {failure && <Notice tone="danger">{failure.message}</Notice>}
      {photos.length > 0 && (
        <ol className={styles.photos}>
          {photos.map((photo, at) => (
            <li key={photo.id} className={styles.photo}>
              <img src={photo.smallPath} alt={photo.alt || `Photo ${at + 1} of ${title}`} loading="lazy" />
              <Words
                photo={photo}
                place={at + 1}
                onChange={(alt) =>
                  rearrange(photos.map((one) => (one.id === photo.id ? { ...one, alt } : one)), `Photo ${at + 1} is described.`)
                }
              />
              <div className={styles.acts}>
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Move photo ${at + 1} up`}
                  disabled={at === 0 || arrange.isPending}
                  onClick={() => move(at, at - 1)}
                >
                  <ArrowUp size={16} aria-hidden="true" />
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Move photo ${at + 1} down`}
                  disabled={at === photos.length - 1 || arrange.isPending}
                  onClick={() => move(at, at + 1)}
                >
                  <ArrowDown size={16} aria-hidden="true" />
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Remove photo ${at + 1}`}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate({ id, photo: photo.id }, { onSuccess: () => setSaid(`Photo ${at + 1} was removed.`) })}
                >
                  <Trash2 size={16} aria-hidden="true" />
                </Button>
              </div>
            </li>
          ))}
        </ol>
      )}
      {sending && <UploadProgress name={sending.name} part={sending.part} />}
      {refusals.map((words) => (
        <Notice key={words} tone="danger">
          {words}
        </Notice>
      ))}
      <div>
        <Button
          variant="secondary"
          size="sm"
          loading={sending !== null}
          disabled={photos.length >= MOST_PHOTOS}
          onClick={() => file.current?.click()}
        >
          <ImagePlus size={16} aria-hidden="true" /> Add photos
        </Button>
        <PictureFiles ref={file} label={`Photo files for ${title}`} onChosen={(chosen) => void send(chosen)} />
      </div>
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
    </div>
  );
}

type WordsProps = { photo: ListingPhoto; place: number; onChange: (alt: string) => void };

/** What is to be seen on a photo; kept when one leaves the field. */
function Words({ photo, place, onChange }: WordsProps) {
  const [text, setText] = useState(photo.alt);
  const keep = () => {
    const alt = text.trim().replace(/\s+/g, " ");
    if (alt !== photo.alt) onChange(alt);
  };
  return (
    <Field label={`What photo ${place} shows`} optional>
      <Input
        maxLength={WORDS}
        value={text}
        placeholder="For people who cannot see it"
        onChange={(event) => setText(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            keep();
          }
        }}
      />
    </Field>
  );
}
