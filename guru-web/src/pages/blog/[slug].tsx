import { PostPage } from "../../features/posts/pages/post-page";
import { placeholderPaths, staticProps } from "../../lib/static-props";

export default PostPage;

export const getStaticPaths = placeholderPaths("slug");

export const getStaticProps = staticProps;
