import { focusClasses, previewUrl } from "../lib/picture";
import type { Picture as PictureData } from "../lib/types";

interface PictureProps {
  picture: PictureData;
  ratio: "4-3" | "1-1" | "2-1";
  /** Of the `img` element: how wide it is shown. */
  sizes: string;
  /** Whether it is the picture at the top of the page, which is loaded before all others. */
  isFirst?: boolean;
  className?: string;
}

/** A photograph of the guru's, cropped. Its colors stand behind it until it has loaded, and nothing moves. */
export function Picture({ picture, ratio, sizes, isFirst = false, className }: PictureProps) {
  const { src, srcset, width, height, alt, preview } = picture;
  const classes = `picture ratio-${ratio}${focusClasses(picture)}`;
  // React preloads images that are outside <picture>, with a link that hydration does not expect.
  return (
    <span className={className === undefined ? classes : `${classes} ${className}`}>
      <Preview preview={preview} />
      <picture>
        <img
          {...(isFirst ? { fetchPriority: "high" } : { loading: "lazy" })}
          alt={alt}
          width={width}
          height={height}
          sizes={sizes}
          srcSet={srcset}
          src={src}
        />
      </picture>
    </span>
  );
}

/** The colors of a picture, behind it until it has loaded. */
export function Preview({ preview }: { preview: string }) {
  return preview === "" ? null : <img className="preview" src={previewUrl(preview)} alt="" />;
}
