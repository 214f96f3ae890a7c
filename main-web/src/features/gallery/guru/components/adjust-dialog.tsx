import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { GALLERY, HERO, roomAt, serviceSpot, spotKey, type Picture, type Spot } from "../lib/pictures";
import type { PictureLimits, PictureService } from "../lib/types";
import { FocusPoint } from "./focus-point";
import { CroppedPicture } from "./picture-tile";
import styles from "./gallery.module.css";

/** Pixels. */
const WIDTH = 720;

type Adjusted = Pick<Picture, "focusX" | "focusY"> & { spot: Spot };
type AdjustDialogProps = {
  picture: Picture;
  /** How the page calls it, such as "picture 2". */
  name: string;
  pictures: readonly Picture[];
  limits: PictureLimits;
  services: readonly PictureService[];
  onDone: (adjusted: Adjusted) => void;
  onClose: () => void;
};

/** Sets what every crop of a picture keeps, with previews, and where it is shown. */
export function AdjustDialog({ picture, name, pictures, limits, services, onDone, onClose }: AdjustDialogProps) {
  const [point, setPoint] = useState({ focusX: picture.focusX, focusY: picture.focusY });
  const [spot, setSpot] = useState<Spot>({ place: picture.place, serviceId: picture.serviceId });
  const adjusted = { ...picture, ...point };
  const others = pictures.filter(({ key }) => key !== picture.key);
  const choices = [
    { at: HERO, label: "Top of your home page" },
    { at: GALLERY, label: "Gallery" },
    ...services.map(({ id, name: service }) => ({ at: serviceSpot(id), label: `Pictures of ${service}` })),
  ].map((choice) => ({
    ...choice,
    // The picture at the top of the home page changes places with this one.
    isFull: choice.at.place !== "hero" && roomAt(others, choice.at, limits) === 0,
  }));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Adjust ${name}`}
      width={WIDTH}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={() => onDone({ ...point, spot })}>Done</Button>
        </>
      }
    >
      <div className={styles.adjusting}>
        <FocusPoint
          src={picture.address}
          width={picture.width}
          height={picture.height}
          point={point}
          onChange={setPoint}
        />
        <div className={styles.previews}>
          <figure className={styles.preview}>
            <span className={styles.landscape}>
              <CroppedPicture picture={adjusted} />
            </span>
            <figcaption>4:3</figcaption>
          </figure>
          <figure className={styles.preview}>
            <span className={styles.square}>
              <CroppedPicture picture={adjusted} />
            </span>
            <figcaption>1:1</figcaption>
          </figure>
        </div>
      </div>
      <Field label="Show it in">
        <Select
          value={spotKey(spot)}
          onChange={(event) => {
            const choice = choices.find(({ at }) => spotKey(at) === event.target.value);
            if (choice) setSpot(choice.at);
          }}
        >
          {choices.map(({ at, label, isFull }) => (
            <option key={spotKey(at)} value={spotKey(at)} disabled={isFull}>
              {isFull ? `${label} (full)` : label}
            </option>
          ))}
        </Select>
      </Field>
    </Dialog>
  );
}
