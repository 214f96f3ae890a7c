import type { ComponentType } from "react";
import { SiteCard } from "../features/guru/site-card";
import { NeedsCard } from "../features/angels/needs-card";
import { OnboardingCard } from "../features/onboarding/onboarding-card";
import { ProfileCard } from "../features/profile/profile-card";

/** What features show on the dashboard, in this order. A card with nothing to say renders nothing. */
export const dashboardCards: readonly ComponentType[] = [NeedsCard, SiteCard, ProfileCard, OnboardingCard];
