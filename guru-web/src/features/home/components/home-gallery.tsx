import { PictureList } from "../../../components/picture-list";
import { Icon } from "../../../components/ui/icon";
import { SiteLink } from "../../../components/ui/site-link";
import type { Picture } from "../../../lib/types";

const SHOWN = 5;

/** The first pictures of the gallery. The page about the guru has all. */
export function HomeGallery({ pictures }: { pictures: readonly Picture[] }) {
  if (pictures.length === 0) return null;
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
      <PictureList className="mosaic" pictures={pictures} shown={SHOWN} />
    </section>
  );
}
