import { GuruMark } from "./guru-mark";
import { SiteLink } from "./site-link";
import type { Site } from "./types";

export function Footer({ site }: { site: Site }) {
  const { guru, mainOrigin, takesReports } = site;
  return (
    <footer className="bottom">
      <div className="wrap bottom-grid">
        <div className="bottom-about">
          <p className="brand">
            <GuruMark theme={guru.theme} />
            <span className="brand-name">{guru.character}</span>
          </p>
          {guru.tagline !== "" && <p className="quiet">{guru.tagline}</p>}
        </div>
        <nav aria-label="This site">
          <p className="bottom-title">Explore</p>
          <ul>
            <li>
              <SiteLink href="/about">About</SiteLink>
            </li>
            <li>
              <SiteLink href="/blog">Blog</SiteLink>
            </li>
            <li>
              <SiteLink href="/services">Services</SiteLink>
            </li>
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
          <p className="bottom-title">Porchlight</p>
          <ul>
            <li>
              <a href={`${mainOrigin}/skills`}>SkillShare</a>
            </li>
            <li>
              <a href={`${mainOrigin}/angels-list`}>Angel’s List</a>
            </li>
            <li>
              <a href={`${mainOrigin}/login`}>Sign In</a>
            </li>
            <li>
              <a href={`${mainOrigin}/signup`}>Sign Up</a>
            </li>
          </ul>
        </nav>
      </div>
      <div className="wrap">
        <p className="legal">
          <span>© 2024 {guru.character}</span>
          <span>
            A neighbour on <a href={`${mainOrigin}/`}>Porchlight</a>
          </span>
        </p>
      </div>
    </footer>
  );
}
