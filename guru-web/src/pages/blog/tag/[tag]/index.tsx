import { BlogPage } from "../../../../features/blog/blog-page";
import { placeholder, shellProps } from "../../../../site/shell-props";

export default BlogPage;

export const getStaticPaths = placeholder("tag");

export const getStaticProps = shellProps;
