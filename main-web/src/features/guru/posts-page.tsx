import { Newspaper, PenLine, Plus, Search } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { paths } from "../../app/paths";
import { useAddress } from "../../kit/use-address";
import { useAddressText } from "../../kit/use-address-text";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Input } from "../../ui/field";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import { toast } from "../../ui/toast-store";
import { Confirm } from "./confirm";
import { useConsole } from "./console-layout";
import styles from "./console.module.css";
import { useDeletePost, usePosts, useStartPost, useUnpublishPost } from "./post-calls";
import type { PostRow, Standing } from "./types";
import { counted, day, moment, STANDING_TONES, STANDINGS, why } from "./words";
import { safeHref } from "../../kit/safe-href";

const NOTHING = { title: "", slug: "", tags: [], excerpt: "", content: "" };

/** One's posts: drafts, scheduled and published ones. */
export function PostsPage() {
  const [search, setSearch] = useAddressText("q");
  const [params, setParams] = useAddress();
  const standing = (["draft", "scheduled", "published"] as const).find((each) => each === params.get("standing")) ?? "";
  const posts = usePosts(standing, params.get("q") ?? "");
  const start = useStartPost();
  const navigate = useNavigate();
  const counts = posts.data?.pages[0]?.counts;
  const rows = posts.data?.pages.flatMap((page) => page.posts) ?? [];

  async function begin() {
    try {
      const made = await start.mutateAsync(NOTHING);
      await navigate(paths.guruPost.replace(":id", made.id));
    } catch (reason) {
      toast.error(why(reason));
    }
  }

  const write = (
    <Button loading={start.isPending} onClick={() => void begin()}>
      <Plus size={17} aria-hidden="true" />
      New post
    </Button>
  );
  return (
    <Page title="Posts" description="The posts of your site.">
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>Posts</h1>
          <p className={styles.lead}>What you write for your readers.</p>
        </div>
        {write}
      </header>
      <div className={styles.filters}>
        <div className={styles.search}>
          <Input
            type="search"
            aria-label="Search posts"
            placeholder="Search by title or tag"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <div className={styles.choices} role="group" aria-label="Show">
          {(["", "draft", "scheduled", "published"] as const).map((each) => (
            <button
              key={each}
              type="button"
              className={styles.choice}
              aria-pressed={standing === each}
              onClick={() => setParams((now) => chosen(now, each), { replace: true })}
            >
              {each === "" ? "All" : STANDINGS[each]}
              {each !== "" && counts && ` ${counts[each]}`}
            </button>
          ))}
        </div>
      </div>
      {posts.isPending && (
        <div className={styles.rows} aria-busy="true">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} height="4.75rem" radius="md" />
          ))}
        </div>
      )}
      {posts.isError && !posts.data && (
        <ErrorState
          title="Your posts are out of reach"
          message={posts.error.message}
          onRetry={() => void posts.refetch()}
          retrying={posts.isFetching}
        />
      )}
      {posts.data && rows.length === 0 && (search || standing ? (
        <EmptyState icon={Search} title="No posts match">
          Try another word, or look at all of them.
        </EmptyState>
      ) : (
        <EmptyState icon={Newspaper} title="Nothing written yet" action={write}>
          A first post need not be long: answer the question you hear most often.
        </EmptyState>
      ))}
      {rows.length > 0 && (
        <ul className={styles.rows} aria-label="Posts">
          {rows.map((post) => (
            <Row key={post.id} post={post} />
          ))}
        </ul>
      )}
      {posts.hasNextPage && (
        <Button variant="secondary" className={styles.end} loading={posts.isFetchingNextPage} onClick={() => void posts.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Page>
  );
}

function chosen(now: URLSearchParams, standing: Standing | ""): URLSearchParams {
  if (standing) now.set("standing", standing);
  else now.delete("standing");
  return now;
}

function Row({ post }: { post: PostRow }) {
  const guru = useConsole();
  const unpublish = useUnpublishPost();
  const remove = useDeletePost();
  const [asking, setAsking] = useState(false);
  const title = post.title || "Untitled";

  async function act(what: () => Promise<unknown>, done: string) {
    try {
      await what();
      setAsking(false);
      toast.success(done);
    } catch (reason) {
      toast.error(why(reason));
    }
  }

  return (
    <Card as="li" interactive className={styles.row}>
      <div className={styles.words}>
        <h2 className={styles.name}>
          <Link to={paths.guruPost.replace(":id", post.id)} className={styles.cover}>
            {title}
          </Link>
        </h2>
        <p className={styles.facts}>
          <Badge tone={STANDING_TONES[post.standing]}>{STANDINGS[post.standing]}</Badge>
          <span>{when(post)}</span>
          {post.standing === "published" && <span>{counted(post.views, "view")}</span>}
          {post.changed && <span>Unsaved changes</span>}
        </p>
      </div>
      <div className={styles.buttons}>
        {post.standing === "published" && guru.status === "active" && (
          <Button asChild size="sm" variant="ghost">
            <a href={safeHref(`${guru.address}/blog/${post.slug}`)} target="_blank" rel="noopener" aria-label={`View “${title}” on your site`}>
              View
            </a>
          </Button>
        )}
        {post.standing !== "draft" && (
          <Button
            size="sm"
            variant="ghost"
            loading={unpublish.isPending}
            aria-label={`${post.standing === "scheduled" ? "Unschedule" : "Unpublish"} “${title}”`}
            onClick={() => void act(() => unpublish.mutateAsync(post.id), "It is a draft again.")}
          >
            {post.standing === "scheduled" ? "Unschedule" : "Unpublish"}
          </Button>
        )}
        <Button size="sm" variant="ghost" aria-label={`Delete “${title}”`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete this post?"
        action="Delete for good"
        busy={remove.isPending}
        onConfirm={() => void act(() => remove.mutateAsync(post.id), "The post is deleted.")}
      >
        <p className={styles.facts}>
          <PenLine size={16} aria-hidden="true" />
          {title}
        </p>
        <p className={styles.hint}>It disappears from your site with its {counted(post.views, "view")}. This cannot be undone.</p>
      </Confirm>
    </Card>
  );
}

function when(post: PostRow): string {
  if (post.standing === "draft" || post.publishedAt === null) return `Edited ${moment(post.savedAt)}`;
  return post.standing === "scheduled" ? `Comes out ${moment(post.publishedAt)}` : day(post.publishedAt);
}
