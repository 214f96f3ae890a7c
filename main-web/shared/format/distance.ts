/** Distances to choose from, in miles. The server keeps a listing's distance in kilometers. */
export const RADIUS_MILES = [2, 5, 10, 15, 25, 50, 100] as const;

const KM_PER_MILE = 1.609344;

/** Return the choice that is nearest to a distance in kilometers: 25 km is "15 miles", not 16. */
export function radiusMiles(km: number): number {
  const miles = km / KM_PER_MILE;
  return RADIUS_MILES.reduce((best, choice) => (Math.abs(choice - miles) < Math.abs(best - miles) ? choice : best));
}

/** Return miles in whole kilometers, as the server keeps them. */
export function milesToKm(miles: number): number {
  return Math.round(miles * KM_PER_MILE);
}
