import type { Site } from "../lib/types";
import { SiteLink } from "./ui/site-link";

/** SPEC 2.4: the "Join the Community" call to action. */
export function CommunityBanner({ site }: { site: Site }) {
  return (
    <section className="container" aria-labelledby="community">
      <div className="community-banner">
        <div>
          <h2 id="community">Learn together, next door</h2>
          <p>
            Swap skills with neighbors, sign up for workshops, and hear when {site.guru.character} posts something new.
          </p>
        </div>
        <div className="actions">
          <a className="button" href={`${site.mainOrigin}/signup`}>
            Join the Community
          </a>
          <SiteLink className="button button-secondary" href="/contact">
            Send a message
          </SiteLink>
        </div>
      </div>
    </section>
  );
}
