import { type IconName, iconPaths } from "./icon-paths";

export const themeIcons = [
  "utensils",
  "music",
  "laptop",
  "leaf",
  "camera",
  "hammer",
  "dumbbell",
  "languages",
  "palette",
  "book",
  "heart",
  "star",
] as const satisfies readonly IconName[];

export type ThemeIcon = (typeof themeIcons)[number];

/** A line icon; decorative, so hidden from screen readers. Size and colour follow the text around it. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={className === undefined ? "icon" : `icon ${className}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}

export function isThemeIcon(name: string): name is ThemeIcon {
  return (themeIcons as readonly string[]).includes(name);
}
