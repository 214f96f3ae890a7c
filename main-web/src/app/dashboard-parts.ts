import { FittingNeeds } from "@/features/angels/needs/components/fitting-needs";
import { NeedsCard } from "@/features/angels/needs/components/needs-card";
import { MySiteCard } from "@/features/console/components/my-site-card";
import { RequestsCard } from "@/features/console/overview/components/requests-card";
import type { DashboardProps } from "@/features/dashboard/components/dashboard-home";
import { ExchangesCard } from "@/features/exchanges/components/exchanges-card";
import { UnreadCard } from "@/features/messages/components/unread-card";
import { OnboardingCard } from "@/features/onboarding/components/onboarding-card";
import { PorchLightCard } from "@/features/porch-lights/contract";
import { ProfileCard } from "@/features/profiles/components/profile-card";
import { DueReviewsCard } from "@/features/reviews/components/due-reviews-card";
import { NewResults } from "@/features/search/components/new-results";
import { NewMatches } from "@/features/skills/components/new-matches";
import { SkillsQuestion } from "@/features/skills/components/skills-question";
import { DueWaiversCard } from "@/features/waivers/components/due-waivers-card";

/** What features show on the dashboard, in this order. */
export const dashboardParts: Omit<DashboardProps, "requestCard"> = {
  question: SkillsQuestion,
  waiting: [RequestsCard, ExchangesCard, NeedsCard, DueWaiversCard, UnreadCard, DueReviewsCard],
  news: [FittingNeeds, NewMatches, NewResults],
  quiet: [PorchLightCard, MySiteCard, ProfileCard, OnboardingCard],
};
