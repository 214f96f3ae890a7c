export const DAY_MS = 86_400_000;

/** How many days a waiver is valid (SPEC 9). */
export const waiverDays = (level: string) => (level === "high" || level === "extreme" ? 30 : 90);
