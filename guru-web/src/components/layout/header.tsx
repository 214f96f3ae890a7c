import type { Site } from "../../lib/types";
import { ownsSite, useCurrentUser } from "../../lib/use-current-user";
import { GuruLogo } from "../guru-logo";
import { SiteLink } from "../ui/site-link";

const navLinks = [
  { href: "/", label: "Home" },
  { href: "/about", label: "About" },
  { href: "/blog", label: "Blog" },
  { href: "/services", label: "Services" },
  { href: "/contact", label: "Contact" },
] as const;

/** `page` is the name of the current page, e.g. "/blog/[slug]". */
export function Header({ site, page }: { site: Site; page: string }) {
  return (
    <header className="site-header">
      <div className="container site-header-row">
        <SiteLink href="/" className="brand">
          <GuruLogo theme={site.guru.theme} />
          <span className="brand-name">{site.guru.character}</span>
        </SiteLink>
        <nav className="nav" aria-label="Main">
          <ul>
            {navLinks
              .filter(({ href }) => href !== "/blog" || site.hasPosts)
              .map(({ href, label }) => (
                <li key={href}>
                  <SiteLink href={href} aria-current={ariaCurrent(href, page)}>
                    {label}
                  </SiteLink>
                </li>
              ))}
          </ul>
        </nav>
        <HeaderAction site={site} page={page} />
      </div>
    </header>
  );
}

/** "Book Now", or on the visitor's own site the way to edit this page. Both have the same width, so nothing moves. */
function HeaderAction({ site, page }: { site: Site; page: string }) {
  const isOwn = ownsSite(useCurrentUser(), site);
  if (isOwn) {
    return (
      <a href={site.mainOrigin + editPath(page)} className="button button-small header-action">
        Edit this
      </a>
    );
  }
  if (!site.takesBookings) return null;
  return (
    <SiteLink href="/services" className="button button-small header-action">
      Book Now
    </SiteLink>
  );
}

/** The page of the console where a page of the site is edited. */
function editPath(page: string): string {
  if (page.startsWith("/blog")) return "/guru/posts";
  if (page.startsWith("/services")) return "/guru/services";
  if (page.startsWith("/reviews")) return "/guru/reviews";
  return page === "/contact" ? "/guru/leads" : "/guru/site";
}

function ariaCurrent(href: string, page: string): "page" | "true" | undefined {
  if (href === page) return "page";
  return href !== "/" && page.startsWith(`${href}/`) ? "true" : undefined;
}
