import type { PostCard } from "../lib/types";
import { DrawnCover } from "./drawn-cover";
import { Picture } from "./picture";

interface PostCoverProps {
  post: PostCard;
  /** Whether the cover is large and at the top of the page: then it is loaded at once. */
  wide: boolean;
}

/** The cover of a post in a list: the picture that the guru uploaded, else a drawn one. */
export function PostCover({ post: { cover, slug }, wide }: PostCoverProps) {
  if (cover === null) return <DrawnCover seed={slug} />;
  const picture = { ...cover, src: cover.thumbnail, width: 640, height: 360, focusX: 50, focusY: 50 };
  return <Picture className="cover" picture={picture} isFirst={wide} />;
}
