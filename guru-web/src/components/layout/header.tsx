import type { Site } from "../../lib/types";
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
            {navLinks.map(({ href, label }) => (
              <li key={href}>
                <SiteLink href={href} aria-current={ariaCurrent(href, page)}>
                  {label}
                </SiteLink>
              </li>
            ))}
          </ul>
        </nav>
        {site.takesBookings && (
          <SiteLink href="/services" className="button button-small">
            Book Now
          </SiteLink>
        )}
      </div>
    </header>
  );
}

function ariaCurrent(href: string, page: string): "page" | "true" | undefined {
  if (href === page) return "page";
  return href !== "/" && page.startsWith(`${href}/`) ? "true" : undefined;
}
