import {
  BookOpen,
  Camera,
  Dumbbell,
  Hammer,
  Heart,
  Languages,
  Laptop,
  Leaf,
  Music,
  Palette,
  Star,
  Utensils,
  type LucideIcon,
} from "lucide-react";

/** The icons that gurus can choose for their site, as in guru-web/src/lib/theme-icons.ts. */
const ICONS: Partial<Record<string, LucideIcon>> = {
  utensils: Utensils,
  music: Music,
  laptop: Laptop,
  leaf: Leaf,
  camera: Camera,
  hammer: Hammer,
  dumbbell: Dumbbell,
  languages: Languages,
  palette: Palette,
  book: BookOpen,
  heart: Heart,
  star: Star,
};

/** A guru's icon, or a star when the theme has no known icon, as on their site. */
export function ThemeIcon({ icon }: { icon: string }) {
  const Icon = ICONS[icon] ?? Star;
  return <Icon aria-hidden="true" />;
}
