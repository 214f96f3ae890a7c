import type { ReactElement } from "react";

// The names next/head's browser side gives these properties.
const attributeNames: Record<string, string> = { className: "class", httpEquiv: "http-equiv", charSet: "charset" };
const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\0": "" };
const voidElements = new Set(["meta", "link", "base"]);

interface HeadProps {
  children?: unknown;
  dangerouslySetInnerHTML?: { __html: string };
  [attribute: string]: unknown;
}

/** The elements of next/head as HTML, such that the browser side finds them equal to its own and leaves them alone. */
export function headHtml(elements: readonly ReactElement[]): string {
  return elements.map((element) => tag(String(element.type), element.props as HeadProps)).join("");
}

function tag(type: string, { children, dangerouslySetInnerHTML, ...attributes }: HeadProps): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([name, value]) => ` ${attributeNames[name] ?? name.toLowerCase()}="${escaped(String(value))}"`)
    .join("");
  const open = `<${type}${written} data-next-head="">`;
  if (voidElements.has(type)) return open;
  const inner = dangerouslySetInnerHTML?.__html.replaceAll("\0", "") ?? escaped(text(children));
  return `${open}${inner}</${type}>`;
}

function text(children: unknown): string {
  return Array.isArray(children) ? children.join("") : typeof children === "string" ? children : "";
}

function escaped(value: string): string {
  return value.replace(/[&<>"\0]/g, (character) => escapes[character] ?? "");
}
