import { PictureList } from "../../../components/picture-list";
import { Icon } from "../../../components/ui/icon";
import { SiteLink } from "../../../components/ui/site-link";
import type { Picture } from "../../../lib/types";

const SHOWN = 5;

/** The first pictures of the gallery. The page about the guru has all. */
export function HomeGallery({ pictures }: { pictures: readonly Picture[] }) {
  if (pictures.length === 0) return null;
  const count = Math.min(pictures.length, SHOWN);
  // Percent of the row on large screens, as in pictures.css. On phones it is 56, and 44 look the same.
  const sizesAt = (index: number) => {
    const width = count < SHOWN ? Math.round(100 / count) : index === 0 ? 50 : 25;
    return `(max-width: 39.9375rem) 44vw, (min-width: 72rem) ${Math.round(0.7 * width)}rem, ${width}vw`;
  };
  return (
    <section className="container section" aria-labelledby="gallery">
      <div className="section-heading">
        <h2 id="gallery">A look at the work</h2>
        {pictures.length > SHOWN && (
          <SiteLink className="arrow-link" href="/about#pictures">
            All pictures
            <Icon name="arrow-right" />
          </SiteLink>
        )}
      </div>
      <PictureList className="mosaic" pictures={pictures} shown={SHOWN} sizesAt={sizesAt} />
    </section>
  );
}
