import {
  Axe,
  Briefcase,
  GraduationCap,
  HeartPulse,
  Languages,
  Laptop,
  type LucideIcon,
  Palette,
  Sparkles,
  Swords,
  Wrench,
  Zap,
} from "lucide-react";

const ICONS: Record<string, LucideIcon> = {
  swords: Swords,
  zap: Zap,
  axe: Axe,
  "heart-pulse": HeartPulse,
  palette: Palette,
  laptop: Laptop,
  languages: Languages,
  briefcase: Briefcase,
  wrench: Wrench,
  "graduation-cap": GraduationCap,
};

/** The picture of a category, by the name the catalogue gives it. */
export function CategoryIcon({ name, size }: { name: string; size: number }) {
  const Icon = ICONS[name] ?? Sparkles;
  return <Icon size={size} aria-hidden="true" />;
}
