import { answerFileChooser, named, press } from "../find";
import type { Write } from "../write";

/** The writes of photos. */
export const photosWrites: readonly Write[] = [
  {
    source: "features/angels/needs/api/upload-need-photo",
    method: "POST",
    route: "/needs/*/photos",
    viewer: "asker",
    address: "/needs/{gateNeed}",
    button: named(/^(Try again|Add photos|Add more photos)$/, { inside: "main" }),
    steps: [answerFileChooser],
  },
  {
    source: "features/angels/needs/api/delete-need-photo",
    method: "DELETE",
    route: "/needs/*/photos/*",
    viewer: "asker",
    address: "/needs/{gateNeed}",
    button: named("Remove photo 1"),
  },
  {
    source: "features/listings/api/upload-listing-photo",
    method: "POST",
    route: "/skills/offers/*/photos",
    viewer: "neighbor",
    address: "/skills/mine",
    button: named(/^(Try again|Add photos|Add more photos)$/, { inside: "[role=group][aria-label^='Photos of']" }),
    steps: [press("Edit Sourdough baking"), answerFileChooser],
  },
  {
    source: "features/listings/api/update-listing-photos",
    method: "PUT",
    route: "/skills/offers/*/photos",
    viewer: "guru",
    address: "/skills/mine",
    button: named("Move photo 1 down"),
    steps: [press("Edit Everyday home cooking")],
  },
  {
    source: "features/listings/api/delete-listing-photo",
    method: "DELETE",
    route: "/skills/offers/*/photos/*",
    viewer: "neighbor",
    address: "/skills/mine",
    button: named("Remove photo 1"),
    steps: [press("Edit Sourdough baking")],
  },
];
