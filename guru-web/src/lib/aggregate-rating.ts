import type { Rating } from "./types";

/** The part of a service's JSON-LD that search engines show as stars. Nothing without a real review. */
export function aggregateRating(rating: Rating | null | undefined): object {
  if (!rating) return {};
  return {
    aggregateRating: {
      "@type": "AggregateRating",
      ratingValue: rating.average,
      reviewCount: rating.reviews,
      bestRating: 5,
      worstRating: 1,
    },
  };
}
