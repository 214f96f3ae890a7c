import { PostPage } from "../../features/blog/post-page";
import { placeholder, shellProps } from "../../site/shell-props";

export default PostPage;

export const getStaticPaths = placeholder("slug");

export const getStaticProps = shellProps;
