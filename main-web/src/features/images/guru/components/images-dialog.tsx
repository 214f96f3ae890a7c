import { Check, Images } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { MoreButton } from "@/components/ui/data-list";
import { Dialog } from "@/components/ui/dialog";
import { Hint } from "@/components/ui/hint";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { cx } from "@/lib/cx";
import { useImages } from "../api/get-images";
import type { SiteImage } from "../lib/types";
import styles from "./images-dialog.module.css";
import { pluralize } from "@porchlight/shared/format/numbers";
import { formatDate } from "@porchlight/shared/format/dates";

/** Pixels. */
const WIDTH = 760;

type ImagesDialogProps = {
  /** The most images that can be chosen. Of one, another choice replaces it. */
  most: number;
  onChoose: (images: SiteImage[]) => void;
  onClose: () => void;
};

/** Chooses among the images that the guru uploaded, newest first. */
export function ImagesDialog({ most, onChoose, onClose }: ImagesDialogProps) {
  const list = useImages();
  const images = list.data?.pages.flatMap((page) => page.images) ?? [];
  const [chosen, setChosen] = useState<SiteImage[]>([]);

  function toggle(image: SiteImage) {
    const others = chosen.filter(({ id }) => id !== image.id);
    if (others.length < chosen.length) setChosen(others);
    else setChosen(most === 1 ? [image] : [...others, image]);
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Your uploaded pictures"
      width={WIDTH}
      fullScreenOnPhones
      startsAt="top"
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={chosen.length === 0} onClick={() => onChoose(chosen)}>
            {chosen.length === 0 ? "Add pictures" : `Add ${pluralize(chosen.length, "picture")}`}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {list.isPending && <PendingImages />}
        {list.isError && !list.data && (
          <ErrorState
            title="We couldn't load your pictures"
            message={list.error.message}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        )}
        {list.data && images.length === 0 && (
          <EmptyState icon={Images} title="No pictures yet">
            Pictures that you upload here or in a post appear in this list.
          </EmptyState>
        )}
        {images.length > 0 && (
          <>
            <Hint>{most === 1 ? "Choose one." : `Choose up to ${most}, in the order you want them.`}</Hint>
            <ul className={styles.images} aria-label="Pictures">
              {images.map((image, at) => (
                <li key={image.id}>
                  <ImageChoice
                    image={image}
                    number={at + 1}
                    order={chosen.findIndex(({ id }) => id === image.id) + 1}
                    isFull={most > 1 && chosen.length >= most}
                    isOnly={most === 1}
                    onToggle={() => toggle(image)}
                  />
                </li>
              ))}
            </ul>
            <MoreButton list={list} />
          </>
        )}
      </div>
    </Dialog>
  );
}

type ImageChoiceProps = {
  image: SiteImage;
  number: number;
  /** Its place among the chosen ones, from 1; 0 for one that isn't chosen. */
  order: number;
  isFull: boolean;
  /** Whether only one image can be chosen, so that there is no order. */
  isOnly: boolean;
  onToggle: () => void;
};

function ImageChoice({ image, number, order, isFull, isOnly, onToggle }: ImageChoiceProps) {
  const isChosen = order > 0;
  return (
    <button
      type="button"
      className={cx(styles.image, isChosen && styles.chosen)}
      aria-pressed={isChosen}
      aria-label={`Picture ${number}, uploaded ${formatDate(image.createdAt)}`}
      disabled={isFull && !isChosen}
      onClick={onToggle}
    >
      <img src={image.thumbnail} alt="" loading="lazy" width={image.width} height={image.height} />
      {isChosen && (
        <span className={styles.mark} data-order={isOnly ? undefined : order} aria-hidden="true">
          {isOnly && <Check size={14} />}
        </span>
      )}
    </button>
  );
}

function PendingImages() {
  return (
    <div className={styles.images} aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading...
      </p>
      {[1, 2, 3, 4, 5, 6].map((tile) => (
        <Skeleton key={tile} height="7rem" radius="md" />
      ))}
    </div>
  );
}
