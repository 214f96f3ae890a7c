import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { SiteImage } from "@/features/images/contract";
import { toast } from "@/lib/toast-store";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { useDraft } from "@/lib/use-draft";
import { galleryQuery } from "../api/get-gallery";
import { useReplaceGallery } from "../api/replace-gallery";
import {
  payloadOf,
  pictureName,
  pictureOf,
  picturesAt,
  picturesOf,
  put,
  refusedPictures,
  roomAt,
  spotKey,
  type Picture,
  type Spot,
} from "./pictures";
import type { Gallery } from "./types";
import { useUploads } from "./use-uploads";
import { fieldErrors } from "@porchlight/shared/client";

export const NO_DESCRIPTION = "Describe the picture in a few words.";

/** The state of the form with all pictures. What is typed is kept until it is saved, also when it changed elsewhere. */
export function useGalleryEditor(gallery: Gallery) {
  const draft = useGalleryDraft(gallery);
  const { limits } = gallery;
  const pictures = draft.typed;
  const [announcement, setAnnouncement] = useState("");
  const [isChecked, setIsChecked] = useState(false);
  const latest = useRef(pictures);
  useEffect(() => {
    latest.current = pictures;
  });

  const limitText = ({ place }: Spot) =>
    place === "hero"
      ? "The top of your home page shows one picture."
      : `${place === "gallery" ? "Your gallery" : "A service"} can show up to ${limits[place]} pictures. Remove one to add another.`;

  /** Return how many more pictures fit. The one at the top is replaced by the next. */
  const room = (spot: Spot) => Math.max(roomAt(pictures, spot, limits), spot.place === "hero" ? 1 : 0);

  function add(image: SiteImage, spot: Spot) {
    const before = spot.place === "hero" ? picturesAt(latest.current, spot)[0] : undefined;
    const added = pictureOf(image, spot);
    draft.update((now) => put(before ? now.filter(({ key }) => key !== before.key) : now, added, spot));
    setAnnouncement("Picture added. Describe it before you save.");
    if (!before) return;
    const undo = () =>
      draft.update((now) =>
        put(
          now.filter(({ key }) => key !== added.key),
          before,
          spot,
          0,
        ),
      );
    toast.success("Picture replaced.", { label: "Undo", run: undo });
  }

  const uploads = useUploads({ roomAt: room, limitText, onUploaded: add });

  /** Move a picture. The one at the top of the home page and its successor change places. */
  function move(picture: Picture, spot: Spot, index?: number) {
    const isSame = spotKey(picture) === spotKey(spot);
    const there = picturesAt(pictures, spot);
    const replaced = !isSame && spot.place === "hero" ? there[0] : undefined;
    const others = pictures.filter(({ key }) => key !== picture.key);
    if (!isSame && !replaced && roomAt(others, spot, limits) === 0) {
      toast.error(limitText(spot));
      return;
    }
    const from = picturesAt(pictures, picture).findIndex(({ key }) => key === picture.key);
    draft.update((now) => {
      const moved = put(now, picture, spot, index);
      return replaced ? put(moved, replaced, picture, from) : moved;
    });
    const count = there.length + (isSame || replaced ? 0 : 1);
    const name = pictureName(picture, from);
    setAnnouncement(`${name} is now ${Math.min((index ?? Infinity) + 1, count)} of ${count}.`);
  }

  function remove(picture: Picture) {
    const at = picturesAt(pictures, picture).findIndex(({ key }) => key === picture.key);
    draft.update((now) => now.filter(({ key }) => key !== picture.key));
    const undo = () => {
      if (roomAt(latest.current, picture, limits) > 0) draft.update((now) => put(now, picture, picture, at));
      else toast.error(limitText(picture));
    };
    toast.success("Picture removed.", { label: "Undo", run: undo });
  }

  const refused = refusedPictures(fieldErrors(draft.error), pictures);
  const problems = new Map(
    pictures.flatMap(({ key, alt }): [string, string][] => {
      const problem = refused.get(key) ?? (isChecked && alt.trim() === "" ? NO_DESCRIPTION : "");
      return problem === "" ? [] : [[key, problem]];
    }),
  );

  return {
    draft,
    pictures,
    uploads,
    announcement,
    /** What is wrong with a picture, by its key. */
    problems,
    room,
    add,
    move,
    remove,
    change: (key: string, changes: Partial<Picture>) =>
      draft.update((now) => now.map((one) => (one.key === key ? { ...one, ...changes } : one))),
    /** Tell whether the pictures can be saved; from then on, those without a description say so. */
    check: () => {
      const isComplete = pictures.every(({ alt }) => alt.trim() !== "");
      setIsChecked(!isComplete);
      return isComplete;
    },
  };
}

export type GalleryEditor = ReturnType<typeof useGalleryEditor>;

function useGalleryDraft(gallery: Gallery) {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  const replace = useReplaceGallery();
  return useDraft<Gallery, Picture[]>({
    resource: gallery,
    typedOf: picturesOf,
    reload: () => queries.query({ ...galleryQuery(userId), staleTime: 0 }),
    save: (typed, revision) => replace.mutateAsync({ revision, pictures: payloadOf(typed) }),
  });
}
