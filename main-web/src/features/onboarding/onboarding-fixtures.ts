/** Data of the onboarding tests. */
import type { RequiredDocument, Status, WizardProfile } from "./lib/types";

export const EMPTY: WizardProfile = { displayName: "", photoUrl: "", city: "", zip: "", bio: "", complete: false };
export const EMPTY_STATUS: Status = {
  step: {
    profileComplete: false,
    categoriesComplete: false,
    requirementsComplete: false,
    payoutConnected: false,
    reviewReady: false,
  },
  profile: { displayName: "", photoUrl: "", city: "", zip: "", bio: "" },
  picks: {},
  docs: {},
  skills: { confirmed: true, skills: ["Bread", "Soup", "Pie"] },
  services: {
    confirmed: true,
    services: [
      {
        name: "Lesson",
        priceCents: 4500,
        durationMinutes: 60,
        durationLabel: "",
        description: "An hour for you alone.",
        features: [],
      },
    ],
    place: "guru",
    placeText: "12 Elm Street",
    hours: { zone: "America/New_York", weekdays: [0, 1, 2, 3, 4], start: 540, end: 1020 },
  },
  subdomain: "",
  site: null,
};
export const READY: Status = {
  ...EMPTY_STATUS,
  step: {
    profileComplete: true,
    categoriesComplete: true,
    requirementsComplete: true,
    payoutConnected: true,
    reviewReady: true,
  },
  profile: { displayName: "Ada", photoUrl: "", city: "Denver", zip: "80202", bio: "I bake." },
  picks: { creative: true, woodworking: true },
  docs: { d1: { id: "d1", type: "insurance", status: "pending", category: "woodworking" } },
};
const REQUIREMENTS = { requires_license: false, requires_gl: false, requires_auto_insurance: false, notes: "" };
export const NEEDED: RequiredDocument[] = [
  {
    slug: "woodworking",
    name: "Woodworking",
    riskLevel: "high",
    requirements: { ...REQUIREMENTS, requires_gl: true, notes: "Eye protection." },
    documents: [{ type: "insurance", title: "General liability insurance $1M/$2M", state: "pending" }],
    submitted: true,
    approved: false,
  },
  {
    slug: "creative",
    name: "Creative",
    riskLevel: "low",
    requirements: REQUIREMENTS,
    documents: [],
    submitted: true,
    approved: true,
  },
];
export const category = (slug: string, name: string, comingSoon = false) => ({
  slug,
  name,
  icon: "palette",
  examples: ["guitar", "photography"],
  comingSoon,
  riskLevel: "low",
  riskIndicator: null,
  requiresWaiver: false,
  requirements: REQUIREMENTS,
});
