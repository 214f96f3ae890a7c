export { AngelReviews } from "./components/angel-reviews";
export { Rating } from "./components/rating";
export { Review } from "./components/review";
