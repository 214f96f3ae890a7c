/** What the API puts into a page: the contract between the API, the server rendering and this template. */

import type { ThemeIcon } from "../ui/icon";

export interface Theme {
  primaryColor: string;
  secondaryColor: string;
  icon: ThemeIcon;
  emoji: string;
}

/** A kind of thing a guru offers; `verified` once we have seen the documents it wants. */
export interface Category {
  slug: string;
  name: string;
  verified: boolean;
}

export interface Guru {
  subdomain: string;
  character: string;
  category: string;
  primarySkills: string[];
  tagline: string;
  city: string;
  /** A picture of them at another service, or "". */
  photoUrl: string;
  /** What visitors may see of what they offer. */
  categories: Category[];
  /** The badge: documents were asked for, and every one of them is approved. */
  verified: boolean;
  theme: Theme;
  seo: { title: string; description: string };
}

export interface PostCard {
  id: string;
  slug: string;
  title: string;
  tags: string[];
  excerpt: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  views: number;
  readTime: string;
}

export interface Post extends PostCard {
  /** Sanitised HTML. */
  content: string;
}

export interface Service {
  id: string;
  name: string;
  description: string;
  /** Whole dollars. */
  price: number;
  currency: "USD";
  /** "60 minutes" or "Monthly". */
  duration: string;
  durationMinutes: number | null;
  popular: boolean;
  features: string[];
}

export interface Stats {
  totalPosts: number;
  totalViews: number;
  monthlyVisitors: number;
  totalLeads: number;
}

export interface Site {
  guru: Guru;
  /** Where this site lives, without a trailing slash. */
  origin: string;
  /** Where the main platform lives, without a trailing slash. */
  mainOrigin: string;
  /** Whether "Report this" leads anywhere. */
  takesReports: boolean;
}

export interface Tag {
  name: string;
  count: number;
}

/** What a posted form answers when JavaScript is off. */
export interface LeadFormState {
  sent: boolean;
  values: Record<string, string>;
  errors: Record<string, string>;
  message: string | null;
}

export interface HomeProps {
  site: Site;
  featuredPosts: PostCard[];
  services: Service[];
  stats: Stats;
}

export interface AboutProps {
  site: Site;
  /** Sanitised HTML. */
  about: string;
  stats: Stats;
  services: Service[];
}

export interface BlogProps {
  site: Site;
  posts: PostCard[];
  tags: Tag[];
  tag: string | null;
  olderCursor: string | null;
  newer: boolean;
}

export interface PostProps {
  site: Site;
  post: Post;
  related: PostCard[];
}

export interface ServicesProps {
  site: Site;
  services: Service[];
}

export interface ReportProps {
  site: Site;
  /** The whole site, or one of its posts. */
  about: { title: string; slug: string | null };
  form: LeadFormState | null;
}
export interface ContactProps {
  site: Site;
  services: { id: string; name: string }[];
  form: LeadFormState | null;
}

export interface RedirectProps {
  site: Site;
}

/** The exported shell carries no data: the API fills it, or the browser does when the API was away. */
export interface ShellProps {
  site: null;
}
