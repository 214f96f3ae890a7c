import { useEffect, type ReactNode } from "react";

const SITE = "Porchlight";

type PageProps = {
  title: string;
  /** One sentence for search engines and link previews. */
  description: string;
  children: ReactNode;
};

/** Set the document title, description and preview metadata while the page is shown. */
export function Page({ title, description, children }: PageProps) {
  useEffect(() => {
    const full = title.includes(SITE) ? title : `${title} · ${SITE}`;
    document.title = full;
    setMeta("name", "description", description);
    setMeta("property", "og:title", full);
    setMeta("property", "og:description", description);
    setMeta("property", "og:url", window.location.origin + window.location.pathname);
    setCanonical(window.location.origin + window.location.pathname);
  }, [title, description]);
  return children;
}

function setMeta(key: "name" | "property", name: string, content: string) {
  let tag = document.head.querySelector<HTMLMetaElement>(`meta[${key}="${name}"]`);
  if (!tag) {
    tag = document.createElement("meta");
    tag.setAttribute(key, name);
    document.head.append(tag);
  }
  tag.content = content;
}

function setCanonical(href: string) {
  let link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  if (!link) {
    link = document.createElement("link");
    link.rel = "canonical";
    document.head.append(link);
  }
  link.href = href;
}
