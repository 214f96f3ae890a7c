import type { Facts, Gallery, Guru, Service, SiteReviews, Stats } from "../lib/types";

interface GuruDefinition {
  character: string;
  category: string;
  primarySkills: string[];
  icon: Guru["theme"]["icon"];
  emoji: string;
}

/** SPEC 3: built-in guru definitions, used when the API is unavailable. */
const definitions = new Map<string, GuruDefinition>([
  [
    "cooking",
    {
      character: "Chef Guru",
      category: "culinary",
      primarySkills: ["cooking", "baking", "meal planning"],
      icon: "utensils",
      emoji: "🍳",
    },
  ],
  [
    "music",
    {
      character: "Music Guru",
      category: "audio",
      primarySkills: ["guitar", "singing", "music theory"],
      icon: "music",
      emoji: "🎵",
    },
  ],
  [
    "tech",
    {
      character: "Tech Guru",
      category: "technology",
      primarySkills: ["programming", "web design", "troubleshooting"],
      icon: "laptop",
      emoji: "💻",
    },
  ],
]);

const genericGuru: GuruDefinition = {
  character: "Guru",
  category: "general",
  primarySkills: ["teaching", "mentoring"],
  icon: "star",
  emoji: "⭐",
};

export function fallbackGuru(subdomain: string): Guru {
  const { icon, emoji, ...definition } = definitions.get(subdomain) ?? genericGuru;
  return {
    ...definition,
    subdomain,
    tagline: "",
    city: "",
    photoUrl: "",
    categories: [],
    verified: false,
    theme: { primaryColor: "#22c55e", secondaryColor: "#0ea5e9", icon, emoji, appearance: "dusk", typeface: "warm" },
    seo: { title: definition.character, description: `${definition.character} on Porchlight` },
  };
}

/** SPEC 9: default services. */
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
    bookable: false,
    pictures: [],
  },
  {
    id: "group-workshop",
    name: "Group Workshop",
    description: "Learn and practice together with neighbors.",
    price: 45,
    currency: "USD",
    duration: "90 minutes",
    durationMinutes: 90,
    popular: false,
    features: [],
    bookable: false,
    pictures: [],
  },
  {
    id: "monthly-mentorship",
    name: "Monthly Mentorship",
    description: "Ongoing guidance, month by month.",
    price: 200,
    currency: "USD",
    duration: "Monthly",
    durationMinutes: null,
    popular: false,
    features: [],
    bookable: false,
    pictures: [],
  },
];

export const noPictures: Gallery = { hero: null, pictures: [] };

export const noFacts: Facts = { answerMinutes: null, sessions: 0, review: null };

export const noReviews: SiteReviews = { rating: null, services: {}, newest: [] };

export const emptyStats: Stats = { totalPosts: 0, totalViews: 0, monthlyVisitors: 0, totalLeads: 0 };
