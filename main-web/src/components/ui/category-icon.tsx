import {
  Axe,
  Baby,
  Briefcase,
  Car,
  GraduationCap,
  HandHeart,
  HeartPulse,
  Languages,
  Laptop,
  type LucideIcon,
  Mountain,
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
  baby: Baby,
  car: Car,
  "hand-heart": HandHeart,
  mountain: Mountain,
};

/** The icon of a category, by its name in the catalog. */
export function CategoryIcon({ name, size }: { name: string; size: number }) {
  const Icon = ICONS[name] ?? Sparkles;
  return <Icon size={size} aria-hidden="true" />;
}
