import { HomePage } from "../features/home/pages/home-page";
import { staticProps } from "../lib/static-props";

export default HomePage;

export const getStaticProps = staticProps;
