import { AboutPage } from "../features/about/about-page";
import { shellProps } from "../site/shell-props";

export default AboutPage;

export const getStaticProps = shellProps;
