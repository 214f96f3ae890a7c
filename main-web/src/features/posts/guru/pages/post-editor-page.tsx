import { useParams } from "react-router-dom";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { Stack } from "@/components/ui/stack";
import { PageTitle } from "@/components/ui/page-header";
import { usePost } from "../api/get-post";
import { PostEditor } from "../components/post-editor";
import { ApiError } from "@porchlight/shared/client";

/** A post in its editor. */
export function PostEditorPage() {
  const { id = "" } = useParams();
  const post = usePost(id);
  const isMissing = post.error instanceof ApiError && post.error.status === 404;
  return (
    <PageHead title={post.data?.saved.title || "Post"} description="Write and edit a post.">
      {post.isPending && (
        <Stack aria-busy="true">
          <Skeleton width="60%" height="2.75rem" radius="md" />
          <Skeleton height="26rem" radius="md" />
        </Stack>
      )}
      {post.isError && !post.data && (
        <>
          <PageTitle>{isMissing ? "Post not found" : "Post"}</PageTitle>
          <ErrorState
            title={isMissing ? "We couldn't find this post" : "We couldn't load this post"}
            message={isMissing ? "It may have been deleted in another tab." : post.error.message}
            {...(!isMissing && { onRetry: () => void post.refetch(), retrying: post.isFetching })}
          />
        </>
      )}
      {post.data && <PostEditor key={post.data.id} post={post.data} />}
    </PageHead>
  );
}
