import { BlogPage } from "../../features/posts/pages/blog-page";
import { staticProps } from "../../lib/static-props";

export default BlogPage;

export const getStaticProps = staticProps;
