import { PictureList } from "../../../components/picture-list";
import { Icon } from "../../../components/ui/icon";
import { SiteLink } from "../../../components/ui/site-link";
import type { Picture } from "../../../lib/types";

const SHOWN = 5;

/** The first pictures of the gallery. The page about the guru has all. */
export function HomeGallery({ pictures }: { pictures: readonly Picture[] }) {
  if (pictures.length === 0) return null;
  return (
    <section className="container section home-gallery" aria-labelledby="gallery">
      <div className="section-heading">
        <h2 id="gallery">A look at the work</h2>
        {pictures.length > SHOWN && (
          <SiteLink className="arrow-link" href="/about#pictures">
            All pictures
            <Icon name="arrow-right" />
          </SiteLink>
        )}
      </div>
      <PictureList
        className={`mosaic mosaic-${Math.min(pictures.length, SHOWN)}`}
        label="Pictures"
        pictures={pictures}
        shown={SHOWN}
        ratio="4-3"
        sizes={["(min-width: 40rem) 34rem, 70vw", "(min-width: 40rem) 17rem, 70vw"]}
      />
    </section>
  );
}
