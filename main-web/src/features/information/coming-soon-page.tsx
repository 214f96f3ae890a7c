import { BookOpenText, CalendarHeart, HeartHandshake, MessagesSquare, ShieldCheck, Trophy } from "lucide-react";
import { useLocation } from "react-router-dom";
import { paths } from "../../app/paths";
import { ComingSoon, type ComingSoonContent } from "../../ui/coming-soon";

const PAGES: Readonly<Record<string, ComingSoonContent>> = {
  [paths.safety]: {
    title: "Safety & Trust",
    icon: ShieldCheck,
    lead: "How neighbors stay safe while they trade skills, in one place.",
    features: [
      "Checklists for a first meeting, at home or outdoors",
      "What each risk level means, and which sessions need a waiver",
      "How documents and insurance of gurus are reviewed",
      "Reporting a problem, and what happens next",
    ],
  },
  [paths.blog]: {
    title: "Blog",
    icon: BookOpenText,
    lead: "Stories and know-how from the people behind the lights.",
    features: [
      "Portraits of gurus and the streets they live on",
      "Short guides to start teaching what you know",
      "News of the platform, told plainly",
      "The best posts from guru sites, picked every week",
    ],
  },
  [paths.successStories]: {
    title: "Success Stories",
    icon: Trophy,
    lead: "What came of it when somebody knocked and asked.",
    features: [
      "Neighbors who learned a trade next door",
      "Gurus who turned a hobby into a living",
      "Swaps that became friendships",
      "A place to tell your own story",
    ],
  },
  [paths.events]: {
    title: "Community Events",
    icon: CalendarHeart,
    lead: "Workshops, repair evenings and block parties close to home.",
    features: [
      "A calendar of what happens within walking distance",
      "Group workshops led by local gurus",
      "Sign up with one tap, and a reminder the day before",
      "Host an event of your own on your street",
    ],
  },
  [paths.forum]: {
    title: "Discussion Forum",
    icon: MessagesSquare,
    lead: "Ask the street. Somebody will know.",
    features: [
      "Questions and answers by skill and by neighborhood",
      "Threads for tools to lend and borrow",
      "Answers marked as useful by the people who asked",
      "Moderators from the community",
    ],
  },
  [paths.mentorship]: {
    title: "Mentorship Program",
    icon: HeartHandshake,
    lead: "A longer road, walked with someone who has been down it.",
    features: [
      "Pairing with a mentor who fits your goal and your week",
      "A plan for three months, with milestones you agree on",
      "Regular check-ins, in person or by video",
      "A letter of recommendation at the end",
    ],
  },
};

/** A page that is announced but not open yet (SPEC 2.2). */
export function ComingSoonPage() {
  const { pathname } = useLocation();
  const content = PAGES[pathname.replace(/\/+$/, "").toLowerCase()];
  if (!content) throw new Error(`No page is announced for ${pathname}`);
  return <ComingSoon content={content} />;
}
