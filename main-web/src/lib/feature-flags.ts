import { useConfig } from "./get-config";

/** Defaults until the flags have loaded and when loading fails (SPEC 3). */
export const FLAG_DEFAULTS = {
  booking: true,
  messaging: true,
  reviews: true,
  userProfiles: true,
  skillListing: true,
  adminDashboard: true,
  systemReports: true,
  communityEvents: false,
  certifications: false,
  orgTools: false,
  dataProducts: false,
  advancedAnalytics: false,
  realTimeChat: false,
  aiRecommendations: false,
  mobileApp: false,
  darkMode: false,
  internationalSupport: false,
  instantPayouts: false,
} as const satisfies Record<string, boolean>;

export type FlagName = keyof typeof FLAG_DEFAULTS;

/** Return whether a feature is enabled. */
export function useFlag(name: FlagName): boolean {
  const config = useConfig();
  return config.data?.flags[name] ?? FLAG_DEFAULTS[name];
}
