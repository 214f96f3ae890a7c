import { ReviewsPage } from "../../features/reviews/pages/reviews-page";
import { staticProps } from "../../lib/static-props";

export default ReviewsPage;

export const getStaticProps = staticProps;
