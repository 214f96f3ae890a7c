import { Images } from "lucide-react";
import type { DragEvent } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { GALLERY, HERO, picturesAt, serviceSpot, spotKey, type Picture } from "../lib/pictures";
import type { Gallery, PictureService } from "../lib/types";
import { useGalleryEditor } from "../lib/use-gallery-editor";
import { usePictureDrag, type DropTarget } from "../lib/use-picture-drag";
import { GalleryFooter } from "./gallery-footer";
import { SpotSection } from "./spot-section";

/** The form with all pictures of the site. */
export function GalleryEditor({ gallery }: { gallery: Gallery }) {
  const editor = useGalleryEditor(gallery);
  const { pictures, uploads } = editor;
  const services = allServices(gallery.services, pictures);
  const spots = [HERO, GALLERY, ...services.map(({ id }) => serviceSpot(id))];

  const dragging = usePictureDrag((key, { spot: name, picture: over }: DropTarget) => {
    const picture = pictures.find((one) => one.key === key);
    const spot = spots.find((one) => spotKey(one) === name);
    if (!picture || !spot) return;
    const index = picturesAt(pictures, spot).findIndex((one) => one.key === over);
    editor.move(picture, spot, index < 0 ? undefined : index);
  });
  const common = { editor, dragging, limits: gallery.limits, services };

  return (
    // A file that is dropped beside a section would replace the page.
    <Stack onDragOver={preventFiles} onDrop={preventFiles}>
      {pictures.length === 0 && uploads.uploads.length === 0 && (
        <EmptyState
          icon={Images}
          title="Show neighbors what to expect"
          action={<Button onClick={addToGallery}>Choose photos</Button>}
        >
          Sites with pictures feel like a place. Show yourself, your work and where you meet: a few photos from your
          phone are enough.
        </EmptyState>
      )}
      <SpotSection
        {...common}
        spot={HERO}
        title="Top of your home page"
        hint="The first thing visitors see. A wide picture works best."
      />
      <SpotSection
        {...common}
        spot={GALLERY}
        title="Gallery"
        hint="Visitors see these in this order. Drag them, or use the arrows."
      />
      {services.map(({ id, name }) => (
        <SpotSection {...common} key={id} spot={serviceSpot(id)} title={`Pictures of ${name}`} isFolding />
      ))}
      <GalleryFooter editor={editor} />
      <p className="visually-hidden" role="status">
        {editor.announcement}
      </p>
      <UnsavedGuard unsaved={editor.draft.isDirty || uploads.isUploading} />
    </Stack>
  );
}

/** Return the services, and those that were deleted while the form has pictures of them. */
function allServices(services: readonly PictureService[], pictures: readonly Picture[]): PictureService[] {
  const known = new Set(services.map(({ id }) => id));
  const gone = new Set(pictures.flatMap(({ serviceId }) => (serviceId && !known.has(serviceId) ? [serviceId] : [])));
  return [...services, ...Array.from(gone, (id) => ({ id, name: "a service that was deleted" }))];
}

const addToGallery = () => document.getElementById(`add-${spotKey(GALLERY)}`)?.click();

function preventFiles(event: DragEvent) {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
}
