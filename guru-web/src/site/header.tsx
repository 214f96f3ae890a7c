import { GuruMark } from "./guru-mark";
import { SiteLink } from "./site-link";
import type { Site } from "./types";

const sections = [
  { href: "/", label: "Home" },
  { href: "/about", label: "About" },
  { href: "/blog", label: "Blog" },
  { href: "/services", label: "Services" },
  { href: "/contact", label: "Contact" },
] as const;

/** `page` is the name of the page shown, e.g. "/blog/[slug]". */
export function Header({ site, page }: { site: Site; page: string }) {
  return (
    <header className="top">
      <div className="wrap top-row">
        <SiteLink href="/" className="brand">
          <GuruMark theme={site.guru.theme} />
          <span className="brand-name">{site.guru.character}</span>
        </SiteLink>
        <nav className="nav" aria-label="Main">
          <ul>
            {sections.map(({ href, label }) => (
              <li key={href}>
                <SiteLink href={href} aria-current={current(href, page)}>
                  {label}
                </SiteLink>
              </li>
            ))}
          </ul>
        </nav>
        <SiteLink href="/services" className="button button-small top-action">
          Book Now
        </SiteLink>
      </div>
    </header>
  );
}

function current(href: string, page: string): "page" | "true" | undefined {
  if (href === page) return "page";
  return href !== "/" && page.startsWith(`${href}/`) ? "true" : undefined;
}
