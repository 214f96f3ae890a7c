import { BlogPage } from "../../../../../features/posts/pages/blog-page";
import { placeholderPaths, staticProps } from "../../../../../lib/static-props";

export default BlogPage;

export const getStaticPaths = placeholderPaths("tag", "cursor");

export const getStaticProps = staticProps;
