import { type IconName, iconPaths } from "./icon-paths";

/** A decorative line icon, hidden from screen readers. It takes its size and color from the surrounding text. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={className === undefined ? "icon" : `icon ${className}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}
