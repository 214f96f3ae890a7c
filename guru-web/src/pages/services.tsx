import { ServicesPage } from "../features/services/services-page";
import { shellProps } from "../site/shell-props";

export default ServicesPage;

export const getStaticProps = shellProps;
