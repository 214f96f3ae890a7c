import { ArrowLeft, ArrowRight, Crop, GripVertical, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { cx } from "@/lib/cx";
import { MAX_ALT_LENGTH, picturesAt, spotKey, type Picture } from "../lib/pictures";
import type { SpotPicturesProps } from "./spot-pictures";
import { AdjustDialog } from "./adjust-dialog";
import styles from "./gallery.module.css";

type PictureTileProps = Omit<SpotPicturesProps, "spot" | "title"> & { picture: Picture; at: number; count: number };

/** One picture: its description, its place in the order, and a button that opens the rest. */
export function PictureTile({ picture, at, count, editor, dragging, limits, services }: PictureTileProps) {
  const [isAdjusting, setIsAdjusting] = useState(false);
  const { key } = picture;
  const number = picture.place === "hero" ? "the picture" : `picture ${at + 1}`;
  const { drag } = dragging;
  const isTarget = drag?.over?.picture === key && drag.key !== key;

  function move(by: -1 | 1) {
    editor.move(picture, picture, at + by);
    focusSoon(`${by === -1 ? "earlier" : "later"}-${key}`, `${by === -1 ? "later" : "earlier"}-${key}`);
  }

  function remove() {
    const there = picturesAt(editor.pictures, picture);
    const next = there[at + 1] ?? there[at - 1];
    editor.remove(picture);
    focusSoon(next ? `remove-${next.key}` : `add-${spotKey(picture)}`);
  }

  return (
    <li
      className={cx(styles.tile, drag?.key === key && styles.dragged, isTarget && styles.target)}
      data-picture={key}
      aria-label={picture.alt.trim() || number}
    >
      <button
        type="button"
        className={styles.thumb}
        aria-label={`Adjust ${number}`}
        aria-haspopup="dialog"
        onClick={() => setIsAdjusting(true)}
      >
        <CroppedPicture picture={picture} />
        <span className={styles.adjust} aria-hidden="true">
          <Crop size={15} />
          Adjust
        </span>
      </button>
      <Field
        label={`Description of ${number}`}
        hint="What is seen, for people who can't see it"
        error={editor.problems.get(key)}
      >
        <TextArea
          rows={2}
          autoComplete="off"
          maxLength={MAX_ALT_LENGTH}
          value={picture.alt}
          onChange={(event) => editor.change(key, { alt: event.target.value.replace(/\s*\n\s*/g, " ") })}
        />
      </Field>
      <div className={styles.acts}>
        {count > 1 && (
          <>
            <span
              className={styles.handle}
              title="Drag to another place"
              aria-hidden="true"
              {...dragging.handleOf(key)}
            >
              <GripVertical size={18} />
            </span>
            <Button
              id={`earlier-${key}`}
              size="sm"
              variant="ghost"
              aria-label={`Move ${number} earlier`}
              disabled={at === 0}
              onClick={() => move(-1)}
            >
              <ArrowLeft size={17} aria-hidden="true" />
            </Button>
            <Button
              id={`later-${key}`}
              size="sm"
              variant="ghost"
              aria-label={`Move ${number} later`}
              disabled={at === count - 1}
              onClick={() => move(1)}
            >
              <ArrowRight size={17} aria-hidden="true" />
            </Button>
          </>
        )}
        <Button
          id={`remove-${key}`}
          className={styles.remove}
          size="sm"
          variant="ghost"
          aria-label={`Remove ${number}`}
          onClick={remove}
        >
          <Trash2 size={16} aria-hidden="true" />
        </Button>
      </div>
      {isAdjusting && (
        <AdjustDialog
          picture={picture}
          name={number}
          pictures={editor.pictures}
          limits={limits}
          services={services}
          onClose={() => setIsAdjusting(false)}
          onDone={({ focusX, focusY, spot }) => {
            setIsAdjusting(false);
            editor.change(key, { focusX, focusY });
            if (spotKey(spot) !== spotKey(picture)) editor.move({ ...picture, focusX, focusY }, spot);
          }}
        />
      )}
    </li>
  );
}

/** A picture that its parent crops around the focal point. */
export function CroppedPicture({ picture }: { picture: Picture }) {
  return (
    <img
      src={picture.thumbnail}
      alt=""
      width={picture.width}
      height={picture.height}
      style={{ objectPosition: `${picture.focusX}% ${picture.focusY}%` }}
    />
  );
}

/** Move the focus to the first of these elements that can be used, once the page has changed. */
function focusSoon(...ids: string[]) {
  requestAnimationFrame(() => {
    const elements = ids.map((id) => document.getElementById(id));
    elements.find((element) => element && !element.matches(":disabled, [aria-disabled=true]"))?.focus();
  });
}
