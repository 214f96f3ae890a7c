import styles from "./skeleton.module.css";

type SkeletonProps = { width?: string; height?: string; radius?: "sm" | "md" | "full" };

/** A placeholder of the size of the content being loaded. Hidden from screen readers; the region has aria-busy. */
export function Skeleton({ width = "100%", height = "1em", radius = "sm" }: SkeletonProps) {
  return (
    <span
      className={styles.skeleton}
      style={{ width, height, borderRadius: `var(--radius-${radius})` }}
      aria-hidden="true"
    />
  );
}

/** A placeholder that is the whole region being loaded. */
export function LoadingBlock({ height }: { height: string }) {
  return (
    <div aria-busy="true">
      <Skeleton height={height} radius="md" />
    </div>
  );
}
