/** Every address of the main platform, in one place. Leaf module: features may import it, it imports nothing. */
export const paths = {
  home: "/",
  skills: "/skills",
  angelsList: "/angels-list",
  dashboard: "/dashboard",
  profile: "/profile",
  publicProfile: "/u/:handle",
  about: "/about",
  howItWorks: "/how-it-works",
  pricing: "/pricing",
  privacy: "/privacy",
  privacyPolicy: "/privacy_policy",
  terms: "/terms",
  termsAndConditions: "/terms_and_conditions",
  help: "/help",
  contact: "/contact",
  safety: "/safety",
  blog: "/blog",
  successStories: "/success-stories",
  events: "/events",
  forum: "/forum",
  mentorship: "/mentorship",
  login: "/login",
  signup: "/signup",
  forgotPassword: "/forgot-password",
} as const;

export type Path = (typeof paths)[keyof typeof paths];
