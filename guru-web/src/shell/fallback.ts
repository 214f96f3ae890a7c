import type { Guru, Service, Stats } from "../site/types";

interface Definition {
  character: string;
  category: string;
  primarySkills: string[];
  icon: Guru["theme"]["icon"];
  emoji: string;
}

/** SPEC 3: the built-in gurus, for when the API cannot be asked. */
const definitions = new Map<string, Definition>([
  ["cooking", { character: "Chef Guru", category: "culinary", primarySkills: ["cooking", "baking", "meal planning"], icon: "utensils", emoji: "🍳" }],
  ["music", { character: "Music Guru", category: "audio", primarySkills: ["guitar", "singing", "music theory"], icon: "music", emoji: "🎵" }],
  ["tech", { character: "Tech Guru", category: "technology", primarySkills: ["programming", "web design", "troubleshooting"], icon: "laptop", emoji: "💻" }],
]);

const anybody: Definition = { character: "Guru", category: "general", primarySkills: ["teaching", "mentoring"], icon: "star", emoji: "⭐" };

export function fallbackGuru(subdomain: string): Guru {
  const { icon, emoji, ...known } = definitions.get(subdomain) ?? anybody;
  return {
    ...known,
    subdomain,
    tagline: "",
    city: "",
    photoUrl: "",
    categories: [],
    verified: false,
    theme: { primaryColor: "#22c55e", secondaryColor: "#0ea5e9", icon, emoji },
    seo: { title: known.character, description: `${known.character} on Porchlight` },
  };
}

/** SPEC 9: what a guru offers when nothing else is known. */
export const defaultServices: Service[] = [
  {
    id: "one-on-one-consultation",
    name: "One-on-One Consultation",
    description: "A personal session about what you want to learn next.",
    price: 75,
    currency: "USD",
    duration: "60 minutes",
    durationMinutes: 60,
    popular: true,
    features: [],
  },
  {
    id: "group-workshop",
    name: "Group Workshop",
    description: "Learn and practise together with neighbours.",
    price: 45,
    currency: "USD",
    duration: "90 minutes",
    durationMinutes: 90,
    popular: false,
    features: [],
  },
  {
    id: "monthly-mentorship",
    name: "Monthly Mentorship",
    description: "Steady guidance, month by month.",
    price: 200,
    currency: "USD",
    duration: "Monthly",
    durationMinutes: null,
    popular: false,
    features: [],
  },
];

export const noStats: Stats = { totalPosts: 0, totalViews: 0, monthlyVisitors: 0, totalLeads: 0 };
