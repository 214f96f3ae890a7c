import { AboutPage } from "../features/about/pages/about-page";
import { staticProps } from "../lib/static-props";

export default AboutPage;

export const getStaticProps = staticProps;
