import { BlogPage } from "../../../../features/posts/pages/blog-page";
import { placeholderPaths, staticProps } from "../../../../lib/static-props";

export default BlogPage;

export const getStaticPaths = placeholderPaths("tag");

export const getStaticProps = staticProps;
