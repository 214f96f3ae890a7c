import { BlogPage } from "../../../features/posts/pages/blog-page";
import { placeholderPaths, staticProps } from "../../../lib/static-props";

export default BlogPage;

export const getStaticPaths = placeholderPaths("cursor");

export const getStaticProps = staticProps;
