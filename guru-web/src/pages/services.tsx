import { ServicesPage } from "../features/services/pages/services-page";
import { staticProps } from "../lib/static-props";

export default ServicesPage;

export const getStaticProps = staticProps;
