import type { ComponentType } from "react";
import { NextSessionCard } from "@/features/bookings/components/next-session-card";
import { MySiteCard } from "@/features/console/components/my-site-card";
import { ExchangesCard } from "@/features/exchanges/components/exchanges-card";
import { NeedsCard } from "@/features/angels/needs/components/needs-card";
import { OnboardingCard } from "@/features/onboarding/components/onboarding-card";
import { DueReviewsCard } from "@/features/reviews/components/due-reviews-card";
import { ProfileCard } from "@/features/profiles/components/profile-card";

/** The cards that features show on the dashboard, in this order. A card without content renders nothing. */
export const dashboardCards: readonly ComponentType[] = [
  NextSessionCard,
  ExchangesCard,
  DueReviewsCard,
  NeedsCard,
  MySiteCard,
  ProfileCard,
  OnboardingCard,
];
