import { Skeleton } from "@/components/ui/skeleton";

/** A block of the page that is loading. */
export function Loading({ what, height }: { what: string; height: string }) {
  return (
    <div aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading {what}...
      </p>
      <Skeleton height={height} radius="md" />
    </div>
  );
}
