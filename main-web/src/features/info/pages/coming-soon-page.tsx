import { BookOpenText, CalendarHeart, HeartHandshake, MessagesSquare, ShieldCheck, Trophy } from "lucide-react";
import { useLocation } from "react-router-dom";
import { paths } from "@/config/paths";
import { ComingSoon, type ComingSoonContent } from "@/components/layout/coming-soon";
import { PAGE_HEADS } from "../page-heads";

const PAGES: Readonly<Record<string, ComingSoonContent>> = {
  [paths.safety]: {
    head: PAGE_HEADS[paths.safety],
    icon: ShieldCheck,
    lead: "Everything you need to stay safe while sharing skills, in one place.",
    features: [
      "Checklists for a first meeting, at home or outdoors",
      "What each risk level means and which sessions need a waiver",
      "How we review gurus' documents and insurance",
      "How to report a problem and what happens next",
    ],
  },
  [paths.blog]: {
    head: PAGE_HEADS[paths.blog],
    icon: BookOpenText,
    lead: "Stories and tips from the people who make Porchlight.",
    features: [
      "Profiles of gurus and their neighborhoods",
      "Short guides to start teaching what you know",
      "Product news in plain English",
      "The best posts from guru sites every week",
    ],
  },
  [paths.successStories]: {
    head: PAGE_HEADS[paths.successStories],
    icon: Trophy,
    lead: "What happened when neighbors asked for help.",
    features: [
      "Neighbors who learned a trade next door",
      "Gurus who turned a hobby into a living",
      "Swaps that became friendships",
      "A place to share your own story",
    ],
  },
  [paths.events]: {
    head: PAGE_HEADS[paths.events],
    icon: CalendarHeart,
    lead: "Workshops, repair evenings and block parties close to home.",
    features: [
      "A calendar of events within walking distance",
      "Group workshops led by local gurus",
      "One-tap sign-up and a reminder the day before",
      "Host your own event on your street",
    ],
  },
  [paths.forum]: {
    head: PAGE_HEADS[paths.forum],
    icon: MessagesSquare,
    lead: "Ask your neighbors. Someone will know.",
    features: [
      "Questions and answers by skill and by neighborhood",
      "Threads for lending and borrowing tools",
      "Answers marked as helpful by the people who asked",
      "Moderators from the community",
    ],
  },
  [paths.mentorship]: {
    head: PAGE_HEADS[paths.mentorship],
    icon: HeartHandshake,
    lead: "Learn over time from someone with experience.",
    features: [
      "A mentor who fits your goals and schedule",
      "A three-month plan with milestones you agree on",
      "Regular check-ins, in person or by video",
      "A letter of recommendation at the end",
    ],
  },
};

/** An announced page that is not available yet (SPEC 2.2). */
export function ComingSoonPage() {
  const { pathname } = useLocation();
  const content = PAGES[pathname.replace(/\/+$/, "").toLowerCase()];
  if (!content) throw new Error(`No page is announced for ${pathname}`);
  return <ComingSoon content={content} />;
}
