import { Newspaper, PenLine, Plus, Search } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { PageHead } from "@/components/layout/page-head";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { toast } from "@/lib/toast-store";
import { Confirm } from "@/components/ui/confirm";
import { safeHref } from "@/lib/safe-href";
import { useConsole } from "@/features/console/contract";
import { PageHeader } from "@/components/ui/page-header";
import {
  DataList,
  DataRow,
  ListSearch,
  MoreButton,
  PendingList,
  RowButtons,
  RowFacts,
  RowLink,
  RowName,
  RowText,
} from "@/components/ui/data-list";
import { Choice, Choices } from "@/components/ui/choices";
import { Hint } from "@/components/ui/hint";
import { errorMessage } from "@/lib/errors";
import { useDeletePost } from "../api/delete-post";
import { usePosts } from "../api/get-posts";
import { useCreatePost } from "../api/create-post";
import { useUnpublishPost } from "../api/unpublish-post";
import type { ConsolePostRow, PostStatus } from "../lib/types";
import { PostBadges } from "../components/post-badges";
import { POST_STATUS_LABELS } from "../lib/labels";
import { formatDateTime, formatLocalDate } from "@porchlight/shared/format/dates";
import { pluralize } from "@porchlight/shared/format/numbers";

const EMPTY_POST = { title: "", slug: "", tags: [], excerpt: "", content: "" };

/** The guru's posts: drafts, scheduled and published ones. */
export function PostsPage() {
  const [search, setSearch] = useSearchParamsText("q");
  const [params, setParams] = useSearchParamsState();
  const status =
    (["draft", "scheduled", "published", "hidden"] as const).find((option) => option === params.get("standing")) ?? "";
  const posts = usePosts(status, params.get("q") ?? "");
  const create = useCreatePost();
  const navigate = useNavigate();
  const counts = posts.data?.pages[0]?.counts;
  // Few gurus ever have a hidden post, so the filter is there only for them.
  const filters = ["", "draft", "scheduled", "published", ...(counts?.hidden ? (["hidden"] as const) : [])] as const;
  const rows = posts.data?.pages.flatMap((page) => page.posts) ?? [];

  async function createPost() {
    try {
      const created = await create.mutateAsync(EMPTY_POST);
      await navigate(paths.guruPost.replace(":id", created.id));
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  const write = (
    <Button loading={create.isPending} onClick={() => void createPost()}>
      <Plus size={17} aria-hidden="true" />
      New post
    </Button>
  );
  return (
    <PageHead title="Posts" description="Manage the posts on your site.">
      <PageHeader title="Posts" lead="Write and manage posts for your site.">
        {write}
      </PageHeader>
      <ListSearch
        search={
          <Input
            type="search"
            aria-label="Search posts"
            placeholder="Search by title or tag"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        }
      >
        <Choices label="Show">
          {filters.map((option) => (
            <Choice
              key={option}
              aria-pressed={status === option}
              onClick={() => setParams((current) => withStatus(current, option), { replace: true })}
            >
              {option === "" ? "All" : POST_STATUS_LABELS[option]}
              {option !== "" && counts && ` ${counts[option]}`}
            </Choice>
          ))}
        </Choices>
      </ListSearch>
      {posts.isPending && <PendingList rows={4} height="4.75rem" />}
      {posts.isError && !posts.data && (
        <ErrorState
          title="We couldn't load your posts"
          message={posts.error.message}
          onRetry={() => void posts.refetch()}
          retrying={posts.isFetching}
        />
      )}
      {posts.data &&
        rows.length === 0 &&
        (search || status ? (
          <EmptyState icon={Search} title="No posts match">
            Try a different search or clear the filter.
          </EmptyState>
        ) : (
          <EmptyState icon={Newspaper} title="No posts yet" action={write}>
            Start small: answer a question you get all the time.
          </EmptyState>
        ))}
      {rows.length > 0 && (
        <DataList aria-label="Posts">
          {rows.map((post) => (
            <Row key={post.id} post={post} />
          ))}
        </DataList>
      )}
      <MoreButton list={posts} />
    </PageHead>
  );
}

function withStatus(current: URLSearchParams, status: PostStatus | ""): URLSearchParams {
  if (status) current.set("standing", status);
  else current.delete("standing");
  return current;
}

function Row({ post }: { post: ConsolePostRow }) {
  const guru = useConsole();
  const unpublish = useUnpublishPost();
  const remove = useDeletePost();
  const [isConfirming, setIsConfirming] = useState(false);
  const title = post.title || "Untitled";

  async function run(request: () => Promise<unknown>, done: string) {
    try {
      await request();
      setIsConfirming(false);
      toast.success(done);
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <DataRow interactive>
      <RowText>
        <RowName>
          <RowLink to={paths.guruPost.replace(":id", post.id)}>{title}</RowLink>
        </RowName>
        <RowFacts>
          <PostBadges status={post.standing} hasEdits={post.changed} />
          <span>{dateText(post)}</span>
          {post.standing === "published" && <span>{pluralize(post.views, "view")}</span>}
        </RowFacts>
      </RowText>
      <RowButtons>
        {post.standing === "published" && guru.status === "active" && (
          <Button asChild size="sm" variant="ghost">
            <a
              href={safeHref(`${guru.address}/blog/${post.slug}`)}
              target="_blank"
              rel="noopener"
              aria-label={`View “${title}” on your site`}
            >
              View
            </a>
          </Button>
        )}
        {post.standing !== "draft" && post.standing !== "hidden" && (
          <Button
            size="sm"
            variant="ghost"
            loading={unpublish.isPending}
            aria-label={`${post.standing === "scheduled" ? "Unschedule" : "Unpublish"} “${title}”`}
            onClick={() => void run(() => unpublish.mutateAsync(post.id), "Moved back to drafts.")}
          >
            {post.standing === "scheduled" ? "Unschedule" : "Unpublish"}
          </Button>
        )}
        <Button size="sm" variant="ghost" aria-label={`Delete “${title}”`} onClick={() => setIsConfirming(true)}>
          Delete
        </Button>
      </RowButtons>
      <Confirm
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Delete this post?"
        action="Delete permanently"
        busy={remove.isPending}
        onConfirm={() => void run(() => remove.mutateAsync(post.id), "Post deleted.")}
      >
        <RowFacts>
          <PenLine size={16} aria-hidden="true" />
          {title}
        </RowFacts>
        <Hint>
          It will be removed from your site, along with its {pluralize(post.views, "view")}. This can't be undone.
        </Hint>
      </Confirm>
    </DataRow>
  );
}

function dateText(post: ConsolePostRow): string {
  if (post.standing === "draft" || post.standing === "hidden" || post.publishedAt === null)
    return `Saved ${formatDateTime(post.savedAt)}`;
  return post.standing === "scheduled"
    ? `Scheduled for ${formatDateTime(post.publishedAt)}`
    : formatLocalDate(post.publishedAt);
}
