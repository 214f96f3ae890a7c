import { useParams } from "react-router-dom";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import styles from "./console.module.css";
import { usePost } from "./post-calls";
import { PostEditor } from "./post-editor";
import { ApiError } from "@porchlight/shared/client";

/** One post in its editor. */
export function PostEditorPage() {
  const { id = "" } = useParams();
  const post = usePost(id);
  const gone = post.error instanceof ApiError && post.error.status === 404;
  return (
    <Page title={post.data?.saved.title || "Post"} description="The editor of a post.">
      {post.isPending && (
        <div className={styles.section} aria-busy="true">
          <Skeleton width="60%" height="2.75rem" radius="md" />
          <Skeleton height="26rem" radius="md" />
        </div>
      )}
      {post.isError && !post.data && (
        <>
          <h1 className={styles.title}>{gone ? "No such post" : "Post"}</h1>
          <ErrorState
            title={gone ? "This post does not exist" : "This post is out of reach"}
            message={gone ? "It may have been deleted in another tab." : post.error.message}
            {...(!gone && { onRetry: () => void post.refetch(), retrying: post.isFetching })}
          />
        </>
      )}
      {post.data && <PostEditor key={post.data.id} post={post.data} />}
    </Page>
  );
}
