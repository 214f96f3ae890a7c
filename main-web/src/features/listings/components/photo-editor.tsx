import { ArrowDown, ArrowUp, ImagePlus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { MAX_PHOTOS } from "@/lib/image-files";
import { usePhotoUploads } from "@/lib/use-photo-uploads";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ImageInput } from "@/components/ui/image-input";
import { UploadErrors } from "@/components/ui/upload-errors";
import { UploadProgress } from "@/components/ui/upload-progress";
import type { Listing, ListingPhoto } from "../api/get-listing";
import { useUploadListingPhoto } from "../api/upload-listing-photo";
import { useUpdateListingPhotos } from "../api/update-listing-photos";
import { useDeleteListingPhoto } from "../api/delete-listing-photo";
import styles from "./photos.module.css";

const MAX_ALT_LENGTH = 200;

/** The photos of a listing: add, order, describe, remove. The first one is shown on cards. */
export function PhotoEditor({ listing }: { listing: Listing }) {
  const { id, title, photos } = listing;
  const add = useUploadListingPhoto();
  const arrange = useUpdateListingPhotos();
  const remove = useDeleteListingPhoto();
  const file = useRef<HTMLInputElement>(null);
  const [announcement, setAnnouncement] = useState("");
  const failure = arrange.error ?? remove.error;

  const { uploading, errors, failed, upload } = usePhotoUploads("listing", photos.length, async (photo, onProgress) => {
    await add.mutateAsync({ id, photo, onProgress });
    setAnnouncement(`${photo.name} added.`);
  });

  const rearrange = (order: ListingPhoto[], message: string) =>
    arrange.mutate(
      { id, photos: order.map((photo) => ({ id: photo.id, alt: photo.alt })) },
      { onSuccess: () => setAnnouncement(message) },
    );

  function move(from: number, to: number) {
    const order = [...photos];
    const [moved] = order.splice(from, 1);
    if (moved)
      rearrange([...order.slice(0, to), moved, ...order.slice(to)], `Photo ${from + 1} is now photo ${to + 1}.`);
  }

  return (
    <div className={styles.editor} role="group" aria-label={`Photos of ${title}`}>
      <div>
        <h3 className={styles.heading}>Photos</h3>
        <p className={styles.hint}>
          {photos.length === 0
            ? "Add up to four. Listings with photos get more views."
            : "The first photo is the cover."}
        </p>
      </div>
      {failure && <Notice tone="danger">{failure.message}</Notice>}
      {photos.length > 0 && (
        <ol className={styles.photos}>
          {photos.map((photo, at) => (
            <li key={photo.id} className={styles.photo}>
              <img src={photo.smallPath} alt={photo.alt || `Photo ${at + 1} of ${title}`} loading="lazy" />
              <AltText
                photo={photo}
                position={at + 1}
                onChange={(alt) =>
                  rearrange(
                    photos.map((item) => (item.id === photo.id ? { ...item, alt } : item)),
                    `Description of photo ${at + 1} saved.`,
                  )
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
                  onClick={() =>
                    remove.mutate(
                      { id, photo: photo.id },
                      { onSuccess: () => setAnnouncement(`Photo ${at + 1} removed.`) },
                    )
                  }
                >
                  <Trash2 size={16} aria-hidden="true" />
                </Button>
              </div>
            </li>
          ))}
        </ol>
      )}
      {uploading && <UploadProgress name={uploading.name} part={uploading.part} />}
      <UploadErrors errors={errors} failed={failed} busy={uploading !== null} onRetry={(files) => void upload(files)} />
      <div>
        <Button
          variant="secondary"
          size="sm"
          loading={uploading !== null}
          disabled={photos.length >= MAX_PHOTOS}
          onClick={() => file.current?.click()}
        >
          <ImagePlus size={16} aria-hidden="true" /> Add photos
        </Button>
        <ImageInput ref={file} label={`Photo files for ${title}`} onSelect={(files) => void upload(files)} />
      </div>
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}

type AltTextProps = { photo: ListingPhoto; position: number; onChange: (alt: string) => void };

/** The alternative text of a photo; saved on blur. */
function AltText({ photo, position, onChange }: AltTextProps) {
  const [text, setText] = useState(photo.alt);
  const save = () => {
    const alt = text.trim().replace(/\s+/g, " ");
    if (alt !== photo.alt) onChange(alt);
  };
  return (
    <Field label={`Description of photo ${position}`} optional>
      <Input
        maxLength={MAX_ALT_LENGTH}
        value={text}
        placeholder="For people who can't see it"
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            save();
          }
        }}
      />
    </Field>
  );
}
