import { HomePage } from "../features/home/home-page";
import { shellProps } from "../site/shell-props";

export default HomePage;

export const getStaticProps = shellProps;
