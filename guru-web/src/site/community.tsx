import { SiteLink } from "./site-link";
import type { Site } from "./types";

/** SPEC 2.4: the call to join. */
export function Community({ site }: { site: Site }) {
  return (
    <section className="wrap" aria-labelledby="community">
      <div className="band">
        <div>
          <h2 id="community">Learn together, next door</h2>
          <p>
            Swap skills with neighbours, save your place in workshops, and hear when {site.guru.character} shares something new.
          </p>
        </div>
        <div className="actions">
          <a className="button" href={`${site.mainOrigin}/signup`}>
            Join the Community
          </a>
          <SiteLink className="button button-quiet" href="/contact">
            Send a message
          </SiteLink>
        </div>
      </div>
    </section>
  );
}
