import type { ReactElement } from "react";

// The attribute names that next/head uses in the browser for these properties.
const attributeNames: Record<string, string> = { className: "class", httpEquiv: "http-equiv", charSet: "charset" };
const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\0": "" };
const voidElements = new Set(["meta", "link", "base"]);

interface HeadElementProps {
  children?: unknown;
  dangerouslySetInnerHTML?: { __html: string };
  [attribute: string]: unknown;
}

/** The elements of next/head as HTML, equal to those that next/head creates in the browser, so that it replaces none. */
export function headHtml(elements: readonly ReactElement[]): string {
  return elements.map((element) => elementHtml(String(element.type), element.props as HeadElementProps)).join("");
}

function elementHtml(type: string, { children, dangerouslySetInnerHTML, ...attributes }: HeadElementProps): string {
  const attributesHtml = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null && value !== false)
    .map(([name, value]) => ` ${attributeNames[name] ?? name.toLowerCase()}="${escapeHtml(String(value))}"`)
    .join("");
  const openTag = `<${type}${attributesHtml} data-next-head="">`;
  if (voidElements.has(type)) return openTag;
  const inner = dangerouslySetInnerHTML?.__html.replaceAll("\0", "") ?? escapeHtml(textOf(children));
  return `${openTag}${inner}</${type}>`;
}

function textOf(children: unknown): string {
  return Array.isArray(children) ? children.join("") : typeof children === "string" ? children : "";
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"\0]/g, (character) => escapes[character] ?? "");
}
