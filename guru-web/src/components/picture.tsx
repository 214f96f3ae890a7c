import { focusClasses, previewUrl } from "../lib/picture";
import type { Picture as PictureData } from "../lib/types";

interface PictureProps {
  picture: PictureData;
  /** Whether it is the wide picture at the top of the page, which is loaded before all others. */
  isFirst?: boolean;
  className?: string;
}

/** A photograph of the guru's, cropped to 4:3. Its colors stand behind it until it has loaded, and nothing moves. */
export function Picture({ picture, isFirst, className = "" }: PictureProps) {
  const { src, srcset, width, height, alt, preview } = picture;
  // Where a browser does not know "auto", which takes the width from the layout, the others count as cards.
  const loading = isFirst ? { fetchPriority: "high" as const } : { loading: "lazy" as const };
  const sizes = isFirst ? "(min-width: 48.0625rem) 40rem, 100vw" : "auto, 20rem";
  return (
    <span className={`picture ${focusClasses(picture)} ${className}`}>
      {preview !== "" && <img className="preview" src={previewUrl(preview)} alt="" />}
      <picture>
        <source type="image/avif" srcSet={srcset} sizes={sizes} />
        <img {...loading} alt={alt} width={width} height={height} src={src} />
      </picture>
    </span>
  );
}
