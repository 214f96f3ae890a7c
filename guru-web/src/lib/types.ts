/** Page props: the contract between the API, the server rendering and the components. */

import type { ThemeIcon } from "./theme-icons";

export interface Theme {
  primaryColor: string;
  secondaryColor: string;
  icon: ThemeIcon;
  emoji: string;
  /** Light pages by day, dark ones at dusk, or as the visitor's device is set. */
  appearance: "day" | "dusk" | "device";
  /** The pair of typefaces; the API adds its style sheet. */
  typeface: "warm" | "clear" | "bookish";
}

/** A category a guru offers. `verified` means that its required documents are approved. */
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
  /** URL of a photo on another host, or "". */
  photoUrl: string;
  /** The categories visible to visitors. */
  categories: Category[];
  /** Shows the badge: documents were required and all of them are approved. */
  verified: boolean;
  theme: Theme;
  seo: { title: string; description: string };
}

/** A photograph that the guru shows. Every crop keeps the point `focusX`, `focusY`, in percent. */
export interface Picture {
  /** Path of the whole picture on this site. */
  path: string;
  /** Path of a medium size as WebP; `srcset` names all sizes as AVIF. */
  src: string;
  srcset: string;
  /** Of the whole picture, in pixels. */
  width: number;
  height: number;
  /** What is seen on it, or "". */
  alt: string;
  focusX: number;
  focusY: number;
  /** Its colors in a grid of 4 by 3, three hexadecimal digits each, or "". */
  preview: string;
}

export interface Gallery {
  hero: Picture | null;
  /** In the guru's order. */
  pictures: Picture[];
}

/** The picture of a post on cards. */
export interface Cover {
  /** Path on this site. */
  path: string;
  /** Path of the picture, scaled down for cards. */
  thumbnail: string;
  /** All sizes, as in `Picture`. */
  srcset: string;
  alt: string;
  /** As in `Picture`. */
  preview: string;
}

export interface PostCard {
  id: string;
  slug: string;
  title: string;
  tags: Tag[];
  excerpt: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  views: number;
  readTime: string;
  cover: Cover | null;
}

export interface Post extends PostCard {
  /** Sanitized HTML. */
  content: string;
  /** ISO 8601, UTC. */
  updatedAt: string;
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
  /** Whether the guru offers times of it. */
  bookable: boolean;
  pictures: Picture[];
}

/** A package of sessions that can be bought by card, to use within `days` days. */
export interface SoldPackage {
  id: string;
  serviceId: string;
  serviceName: string;
  name: string;
  sessions: number;
  days: number;
  priceCents: number;
}

/** A start that can be booked, and the spots left. */
export interface FreeStart {
  /** ISO 8601, UTC. */
  startsAt: string;
  seats: number;
}

/** The free times of a service, and how it is booked. Days are local days of the guru, as "2026-12-01". */
export interface FreeTimes {
  /** The guru's IANA zone. */
  zone: string;
  capacity: number;
  partyMax: number;
  approval: "instant" | "request";
  place: "guru" | "person" | "online" | "agreed";
  freeUntilMinutes: number;
  latePercent: number;
  missedPercent: number;
  /** In person, or by card: in full, a deposit, or the card is kept. */
  payment: "in_person" | "full" | "deposit" | "hold";
  depositPercent: number;
  today: string;
  /** The last day on which the service is offered. */
  lastDay: string;
  /** The first local day of the starts, and how many days they reach. */
  firstDay: string;
  days: number;
  starts: FreeStart[];
  /** The starts of full sessions, for which people can wait. */
  full: string[];
  /** The first start from now on, on any day. */
  next: FreeStart | null;
}

export interface Stats {
  totalPosts: number;
  totalViews: number;
  monthlyVisitors: number;
  totalLeads: number;
}

/** A review of the guru's owner on Angel's List. */
export interface OwnerReview {
  words: string;
  /** 1 to 5. */
  rating: number;
  service: string;
  /** Of the owner's public profile. */
  handle: string;
}

/** The average of all stars, 1 to 5 with one decimal, and the number of reviews. */
export interface Rating {
  average: number;
  reviews: number;
}

/** A review of a session. One that our team removed has no stars, and the reason. */
export interface SessionReview {
  id: string;
  stars: number | null;
  body: string;
  /** A first name, or "". */
  author: string;
  service: string;
  /** As "2026-12-01". */
  date: string;
  /** The guru's, or "". */
  reply: string;
  removedWhy: string;
}

/** What home and services show of the reviews. `services` has ratings by service. */
export interface SiteReviews {
  rating: Rating | null;
  services: Record<string, Rating>;
  newest: SessionReview[];
}

/** What visitors weigh before they ask. */
export interface Facts {
  /** The usual time to the first answer; null if it is not known. */
  answerMinutes: number | null;
  /** The number of sessions done. */
  sessions: number;
  /** The newest review. */
  review: OwnerReview | null;
}

export interface Site {
  guru: Guru;
  /** Origin of the site's main address, without a trailing slash. */
  origin: string;
  /** Origin of the main site, without a trailing slash. */
  mainOrigin: string;
  /** Origin to which a sign-in leads back: of this page's custom domain, which signs the visitor in there, or the main site's. */
  returnOrigin: string;
  /** Whether reports are enabled, and with them the "Report this" links. */
  takesReports: boolean;
  /** Whether bookings are enabled, and with them the "See times" links. */
  takesBookings: boolean;
  /** Whether neighbors can write to the guru on the main platform. */
  takesMessages: boolean;
  /** Whether reviews of sessions are enabled. */
  showsReviews: boolean;
  /** Whether there are published posts, and with them the links to the blog. */
  hasPosts: boolean;
}

export interface Tag {
  /** In the URL of the tag's page. */
  slug: string;
  name: string;
}

export interface TagCount extends Tag {
  count: number;
}

/** State of a form after a POST without JavaScript. */
export interface PostedForm {
  sent: boolean;
  values: Record<string, string>;
  errors: Record<string, string>;
  message: string | null;
}

export interface HomeProps {
  site: Site;
  featuredPosts: PostCard[];
  gallery: Gallery;
  services: Service[];
  stats: Stats;
  facts: Facts;
  reviews: SiteReviews;
}

export interface AboutProps {
  site: Site;
  /** Sanitized HTML. */
  about: string;
  gallery: Gallery;
  stats: Stats;
  facts: Facts;
  services: Service[];
}

export interface BlogProps {
  site: Site;
  posts: PostCard[];
  tags: TagCount[];
  /** The slug of the tag whose posts are listed. */
  tag: string | null;
  olderCursor: string | null;
  newer: boolean;
}

export interface PostProps {
  site: Site;
  post: Post;
  related: PostCard[];
}

export interface ReviewsProps {
  site: Site;
  rating: Rating | null;
  /** The number of reviews with 1 to 5 stars. */
  counts: number[];
  services: { serviceId: string; name: string; rating: Rating }[];
  reviews: SessionReview[];
  olderCursor: string | null;
  newer: boolean;
}

export interface ServicesProps {
  site: Site;
  services: Service[];
  reviews: SiteReviews;
}

export interface TimesProps {
  site: Site;
  service: Service;
  times: FreeTimes;
  /** The local day whose times are shown; null without a free start. */
  day: string | null;
  /** The idempotency key of the form. */
  formKey: string;
  /** Why the time of a POST without JavaScript was not kept. */
  form: { code: string; message: string; startsAt: string | null; party: number } | null;
}

export interface ReportProps {
  site: Site;
  /** The reported site, or one of its posts. */
  about: { title: string; slug: string | null };
  form: PostedForm | null;
}

export interface ContactProps {
  site: Site;
  services: { id: string; name: string }[];
  form: PostedForm | null;
}

export interface RedirectProps {
  site: Site;
}

/** An exported page has no data. The API adds it, or the browser fetches it when the API was unavailable. */
export interface ExportedProps {
  site: null;
}
