import type { Site } from "../../lib/types";
import { useCurrentUser } from "../../lib/use-current-user";
import { GuruLogo } from "../guru-logo";
import { SiteLink } from "../ui/site-link";

export function Footer({ site }: { site: Site }) {
  const { guru, mainOrigin, takesReports } = site;
  return (
    <footer className="site-footer">
      <div className="container footer-grid">
        <div className="footer-about">
          <p className="brand">
            <GuruLogo theme={guru.theme} />
            <span className="brand-name">{guru.character}</span>
          </p>
          {guru.tagline !== "" && <p className="muted">{guru.tagline}</p>}
        </div>
        <nav aria-label="This site">
          <p className="footer-title">Explore</p>
          <ul>
            <li>
              <SiteLink href="/about">About</SiteLink>
            </li>
            {site.hasPosts && (
              <li>
                <SiteLink href="/blog">Blog</SiteLink>
              </li>
            )}
            <li>
              <SiteLink href="/services">Services</SiteLink>
            </li>
            {site.showsReviews && (
              <li>
                <SiteLink href="/reviews">Reviews</SiteLink>
              </li>
            )}
            <li>
              <SiteLink href="/contact">Contact</SiteLink>
            </li>
            <li>
              <a href="/feed.xml">Feed</a>
            </li>
            {takesReports && (
              <li>
                <a href="/report" rel="nofollow">
                  Report this site
                </a>
              </li>
            )}
          </ul>
        </nav>
        <nav aria-label="Porchlight">
          <p className="footer-title">Porchlight</p>
          <ul>
            <li>
              <a href={`${mainOrigin}/skills`}>SkillShare</a>
            </li>
            <li>
              <a href={`${mainOrigin}/angels-list`}>Angel's List</a>
            </li>
            <AccountLinks mainOrigin={mainOrigin} />
          </ul>
        </nav>
      </div>
      <div className="container">
        <p className="legal">
          <span>© 2024 {guru.character}</span>
          <span>
            On <a href={`${mainOrigin}/`}>Porchlight</a>
          </span>
        </p>
      </div>
    </footer>
  );
}

/** The ways to an account, or the visitor's sessions. Of equal height, so that nothing moves. */
function AccountLinks({ mainOrigin }: { mainOrigin: string }) {
  const user = useCurrentUser();
  const links =
    user === null
      ? { "/login": "Sign In", "/signup": "Sign Up" }
      : { "/sessions": "My sessions", "/dashboard": "Dashboard" };
  return Object.entries(links).map(([path, label]) => (
    <li key={path}>
      <a href={mainOrigin + path}>{label}</a>
    </li>
  ));
}
