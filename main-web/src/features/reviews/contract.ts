export { AngelReviews } from "./components/angel-reviews";
export { Rating } from "./components/rating";
export { Review } from "./components/review";
export { ReviewForm } from "./components/review-form";
export { Average } from "./components/stars";
export { SessionReviews } from "./components/session-reviews";
export { NeighborReviews } from "./guru/components/neighbor-reviews";
export { useReviewDraft } from "./lib/review-draft";
