import { ReviewsPage } from "../../../features/reviews/pages/reviews-page";
import { placeholderPaths, staticProps } from "../../../lib/static-props";

export default ReviewsPage;

export const getStaticPaths = placeholderPaths("cursor");

export const getStaticProps = staticProps;
