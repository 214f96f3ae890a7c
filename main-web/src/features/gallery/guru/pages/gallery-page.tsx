import { PageHead } from "@/components/layout/page-head";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { Stack } from "@/components/ui/stack";
import { ErrorState } from "@/components/ui/state";
import { useGallery } from "../api/get-gallery";
import { GalleryEditor } from "../components/gallery-editor";

/** Edits the pictures of the site. */
export function GalleryPage() {
  const gallery = useGallery();
  return (
    <PageHead title="Pictures" description="Choose the pictures on your site.">
      <PageHeader
        title="Pictures"
        lead="What visitors see on your home page, in your gallery and with your services. Changes go live when you save."
      />
      {gallery.isPending && (
        <Stack aria-busy="true">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} height="12rem" radius="md" />
          ))}
        </Stack>
      )}
      {gallery.isError && !gallery.data && (
        <ErrorState
          title="We couldn't load your pictures"
          message={gallery.error.message}
          onRetry={() => void gallery.refetch()}
          retrying={gallery.isFetching}
        />
      )}
      {gallery.data && <GalleryEditor gallery={gallery.data} />}
    </PageHead>
  );
}
