import { TimesPage } from "../../../features/bookings/pages/times-page";
import { placeholderPaths, staticProps } from "../../../lib/static-props";

export default TimesPage;

export const getStaticPaths = placeholderPaths("service");
export const getStaticProps = staticProps;
