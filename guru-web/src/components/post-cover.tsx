import type { PostCard } from "../lib/types";
import { DrawnCover } from "./drawn-cover";
import { Preview } from "./picture";

interface PostCoverProps {
  post: PostCard;
  /** Whether the cover is large and at the top of the page: then it is loaded at once. */
  wide: boolean;
}

/** The cover of a post in a list: the picture that the guru uploaded, else a drawn one. */
export function PostCover({ post: { cover, slug }, wide }: PostCoverProps) {
  if (cover === null) return <DrawnCover seed={slug} />;
  const { path, thumbnail, alt, preview } = cover;
  // The browser takes the whole picture, at most 1600 pixels wide, only for a large screen.
  const loading = wide
    ? { sizes: "(max-width: 47.99rem) 100vw, 40rem", srcSet: `${thumbnail} 640w, ${path} 1600w` }
    : { loading: "lazy" as const };
  return (
    <span className="picture cover">
      <Preview preview={preview} />
      {/* React preloads images that are outside <picture>, with a link that hydration does not expect. */}
      <picture>
        <img {...loading} alt={alt} width={640} height={360} src={thumbnail} />
      </picture>
    </span>
  );
}
