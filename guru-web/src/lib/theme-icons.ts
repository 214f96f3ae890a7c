/** The icons a guru can choose for the site. */
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
] as const;

export type ThemeIcon = (typeof themeIcons)[number];

export function isThemeIcon(name: string): name is ThemeIcon {
  return (themeIcons as readonly string[]).includes(name);
}
