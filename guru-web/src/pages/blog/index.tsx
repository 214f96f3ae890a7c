import { BlogPage } from "../../features/blog/blog-page";
import { shellProps } from "../../site/shell-props";

export default BlogPage;

export const getStaticProps = shellProps;
