import { safeHref } from "../../kit/safe-href";
import { formatDay } from "../../ui/format-date";
import { WholeLink } from "../../ui/whole-link";
import type { HomePost } from "./get-home";
import styles from "./post-row.module.css";

export function PostRow({ post }: { post: HomePost }) {
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <h4 className={styles.title}>
          <WholeLink>
            <a href={safeHref(post.url)}>
              {post.title}
            </a>
          </WholeLink>
        </h4>
        <p className={styles.excerpt}>{post.excerpt}</p>
      </div>
      <p className={styles.meta}>
        <span className={styles.guru}>{post.guru.character}</span>
        <span>
          <time dateTime={post.publishedAt}>{formatDay(post.publishedAt)}</time> · {post.readTime}
        </span>
      </p>
    </li>
  );
}
