import { useState } from "react";
import { useIsHydrating } from "./use-is-hydrating";

/** What a page whose address names its subject shows before its data: the API fills it into the prerendered page. */
export type FirstTexts = {
  heading: string;
  lead: string;
  picture: { src: string; width: string; height: string } | null;
};

/** The placeholders of platform/porchlight/web/first_texts.py. */
const PLACEHOLDERS: FirstTexts = {
  heading: "{{heading}}",
  lead: "{{lead}}",
  picture: { src: "{{picture}}", width: "{{picture-width}}", height: "{{picture-height}}" },
};

/** The attribute with which a page marks the elements of these texts. */
export const FIRST = { heading: { "data-first": "heading" }, lead: { "data-first": "lead" } } as const;

/** Return the first texts of the prerendered page that the app is taking over, or null on any other page. */
export function useFirstTexts(): FirstTexts | null {
  const isHydrating = useIsHydrating();
  const [texts] = useState(() => (isHydrating ? readFirstTexts() : null));
  return texts;
}

function readFirstTexts(): FirstTexts {
  if (typeof document === "undefined") return PLACEHOLDERS;
  const textOf = (name: string) => document.querySelector(`[data-first="${name}"]`)?.textContent ?? "";
  const picture = document.querySelector('[data-first="picture"]');
  const attribute = (name: string) => picture?.getAttribute(name) ?? "";
  return {
    heading: textOf("heading"),
    lead: textOf("lead"),
    picture: picture && { src: attribute("src"), width: attribute("width"), height: attribute("height") },
  };
}
