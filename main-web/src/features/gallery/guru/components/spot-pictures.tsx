import { ImagePlus, Images } from "lucide-react";
import { useRef, useState, type DragEvent } from "react";
import { Button } from "@/components/ui/button";
import { ImageInput } from "@/components/ui/image-input";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { ImagesDialog } from "@/features/images/contract";
import { cx } from "@/lib/cx";
import { picturesAt, roomAt, spotKey, type Spot } from "../lib/pictures";
import type { PictureLimits, PictureService } from "../lib/types";
import type { GalleryEditor } from "../lib/use-gallery-editor";
import type { usePictureDrag } from "../lib/use-picture-drag";
import { PictureTile } from "./picture-tile";
import { UploadTile } from "./upload-tile";
import styles from "./gallery.module.css";

export type SpotPicturesProps = {
  editor: GalleryEditor;
  dragging: ReturnType<typeof usePictureDrag>;
  limits: PictureLimits;
  services: readonly PictureService[];
  spot: Spot;
  title: string;
};

/** The pictures of one spot: in their order, those under way, and buttons that add some. Files can be dropped here. */
export function SpotPictures({ editor, dragging, limits, services, spot, title }: SpotPicturesProps) {
  const { uploads } = editor;
  const file = useRef<HTMLInputElement>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const name = spotKey(spot);
  const there = picturesAt(editor.pictures, spot);
  const underWay = uploads.uploads.filter((upload) => spotKey(upload.spot) === name);
  const isOne = spot.place === "hero";
  const isReplacing = isOne && there.length > 0;
  const room = isOne ? 1 : roomAt(editor.pictures, spot, limits);

  function drop(event: DragEvent) {
    setIsOver(false);
    if (event.dataTransfer.files.length > 0) uploads.add([...event.dataTransfer.files], spot);
  }

  return (
    <Stack
      data-spot={name}
      className={cx(styles.spot, (isOver || dragging.drag?.over?.spot === name) && styles.over)}
      onDragOver={(event) => setIsOver(event.dataTransfer.types.includes("Files"))}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={drop}
    >
      {(there.length > 0 || underWay.length > 0) && (
        <ol className={cx(styles.pictures, isOne && styles.one)} aria-label={title}>
          {there.map((picture, at) => (
            <PictureTile
              key={picture.key}
              picture={picture}
              at={at}
              count={there.length}
              editor={editor}
              dragging={dragging}
              limits={limits}
              services={services}
            />
          ))}
          {underWay.map((upload) => (
            <UploadTile
              key={upload.key}
              upload={upload}
              onRetry={() => uploads.retry(upload)}
              onDismiss={() => uploads.dismiss(upload.key)}
            />
          ))}
        </ol>
      )}
      <div className={styles.adding}>
        <ButtonRow>
          <Button
            id={`add-${name}`}
            variant="secondary"
            size="sm"
            disabled={room === 0}
            onClick={() => file.current?.click()}
          >
            <ImagePlus size={16} aria-hidden="true" />
            {isReplacing ? "Replace picture" : isOne ? "Add a picture" : "Add pictures"}
            <span className="visually-hidden"> ({title})</span>
          </Button>
          <Button variant="ghost" size="sm" disabled={room === 0} onClick={() => setIsChoosing(true)}>
            <Images size={16} aria-hidden="true" />
            Choose from your uploads
            <span className="visually-hidden"> ({title})</span>
          </Button>
        </ButtonRow>
        <p className={styles.drop}>
          {room === 0 ? "All spots are taken. Remove one to add another." : "Or drop files here."}
        </p>
        <ImageInput
          ref={file}
          label={`Files: ${title}`}
          single={isOne}
          onSelect={(files) => uploads.add(files, spot)}
        />
      </div>
      {isChoosing && (
        <ImagesDialog
          most={room}
          onClose={() => setIsChoosing(false)}
          onChoose={(images) => {
            setIsChoosing(false);
            for (const image of images) editor.add(image, spot);
          }}
        />
      )}
    </Stack>
  );
}
