import styles from "./skeleton.module.css";

type SkeletonProps = { width?: string; height?: string; radius?: "sm" | "md" | "full" };

/** A quiet placeholder of the size of what is coming. Hidden from screen readers; the region says it is busy. */
export function Skeleton({ width = "100%", height = "1em", radius = "sm" }: SkeletonProps) {
  return (
    <span
      className={styles.skeleton}
      style={{ width, height, borderRadius: `var(--radius-${radius})` }}
      aria-hidden="true"
    />
  );
}
