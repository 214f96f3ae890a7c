import { focusClasses, previewUrl } from "../lib/picture";
import type { Picture as PictureData } from "../lib/types";

interface PictureProps {
  picture: PictureData;
  /** Whether it is the wide picture at the top of the page, which is loaded before all others. */
  isFirst?: boolean;
  /** Its width in each layout. By default the browser takes it from the layout, or that of a card. */
  sizes?: string | undefined;
  className?: string;
}

// Screens of phones have more pixels than the eye sees in a photograph: fewer look the same and arrive sooner.
const FIRST_SIZES = "(min-width: 48.0625rem) 40rem, (min-resolution: 2.5dppx) 72vw, 88vw";

/** A photograph of the guru's, cropped to 4:3. Its colors stand behind it until it has loaded, and nothing moves. */
export function Picture({
  picture,
  isFirst,
  sizes = isFirst ? FIRST_SIZES : "auto, 20rem",
  className = "",
}: PictureProps) {
  const { src, srcset, width, height, alt, preview } = picture;
  const loading = isFirst ? { fetchPriority: "high" as const } : { loading: "lazy" as const };
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
