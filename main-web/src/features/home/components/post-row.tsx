import { memo } from "react";
import { safeHref } from "@/lib/safe-href";
import { BlockLink } from "@/components/ui/block-link";
import type { HomePost } from "../api/get-home";
import styles from "./post-row.module.css";
import { formatDate } from "@porchlight/shared/format/dates";

export const PostRow = memo(function PostRow({ post }: { post: HomePost }) {
  return (
    <li className={styles.row}>
      <span className={styles.cover} aria-hidden="true">
        {post.coverUrl && <img src={safeHref(post.coverUrl)} alt="" loading="lazy" width={640} height={480} />}
      </span>
      <div className={styles.details}>
        <h4 className={styles.title}>
          <BlockLink>
            <a href={safeHref(post.url)}>{post.title}</a>
          </BlockLink>
        </h4>
        <p className={styles.excerpt}>{post.excerpt}</p>
      </div>
      <p className={styles.meta}>
        <span className={styles.guru}>{post.guru.character}</span>
        <span>
          <time dateTime={post.publishedAt}>{formatDate(post.publishedAt)}</time> · {post.readTime}
        </span>
      </p>
    </li>
  );
});
