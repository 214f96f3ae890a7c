import { useEffect, type ReactNode } from "react";
import { canonicalPath, fullTitle } from "@/lib/page-head";

type PageHeadProps = {
  title: string;
  /** One sentence for search engines and link previews. */
  description: string;
  children: ReactNode;
};

/** Set the document title, description and preview metadata while the page is shown. */
export function PageHead({ title, description, children }: PageHeadProps) {
  useEffect(() => {
    const full = fullTitle(title);
    const url = window.location.origin + canonicalPath(window.location.pathname);
    document.title = full;
    setMeta("name", "description", description);
    setMeta("property", "og:title", full);
    setMeta("property", "og:description", description);
    setMeta("property", "og:url", url);
    setCanonical(url);
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
