import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";

export type PastedMarkdown = {
  markdown: string;
  /** Pictures that only the program they were copied from can load. */
  lostPictures: number;
};

const ALWAYS_REMOVED = "head, style, script, meta, link, title, template, noscript, iframe, object, embed, svg, xml";
/** A picture with such an address is loaded from the program's own files, or is gone after an hour. */
const TEMPORARY_PICTURE = /googleusercontent\.com\/docs|^(?!https?:)/i;
const WORD_ITEM = /mso-list:\s*(\S+)\s+level(\d)/i;

/**
 * Convert HTML of the clipboard to Markdown. Word writes lists as paragraphs, and Google Docs bold as a style: both
 * become elements first.
 */
export function htmlToMarkdown(html: string): PastedMarkdown {
  const { body } = new DOMParser().parseFromString(html.replace(/<!\[(?:if|endif)[^>]*>/g, ""), "text/html");
  for (const element of body.querySelectorAll(ALWAYS_REMOVED)) element.remove();
  for (const element of elementsOf(body)) if (element.localName.includes(":")) unwrap(element);
  makeListsOfWord(body);
  for (const element of elementsOf(body)) makeElementsOfStyles(element);
  // Google Docs puts a nested list beside its item, not into it.
  for (const list of body.querySelectorAll(":is(ul, ol) > :is(ul, ol)")) list.previousElementSibling?.append(list);
  for (const table of body.querySelectorAll("table")) simplifyTable(table);
  for (const link of body.querySelectorAll("a")) useRealAddress(link);
  const lost = [...body.querySelectorAll("img")].filter(({ src }) => TEMPORARY_PICTURE.test(src));
  for (const picture of lost) picture.remove();
  const markdown = converter()
    .turndown(body)
    .replace(/\u00a0/g, " ")
    .replace(/[ \t]+$/gm, "");
  return { markdown: markdown.replace(/^\n+|\s+$/g, ""), lostPictures: lost.length };
}

function converter(): TurndownService {
  const service = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
    br: "", // posts keep line breaks as they are
  });
  service.use(gfm);
  service.keep(["sub", "sup", "u"]);
  // Three spaces after a marker are turndown's default.
  service.addRule("item", {
    filter: "li",
    replacement: (content, node) => {
      const list = node.parentElement;
      const first = Number(list?.getAttribute("start") ?? 1);
      const number = [...(list?.children ?? [])].indexOf(node) + first;
      const marker = list?.localName === "ol" ? `${number}. ` : "- ";
      const text = content
        .replace(/^\n+|\n+$/g, "")
        .replace(/\n{2,}(?=[ \t]*(?:-|\d+\.) )/g, "\n")
        .replace(/\n(?!$)/g, `\n${" ".repeat(marker.length)}`);
      return marker + text + (node.nextSibling ? "\n" : "");
    },
  });
  return service;
}

const elementsOf = (body: HTMLElement) => [...body.querySelectorAll<HTMLElement>("*")];

function unwrap(element: Element) {
  element.replaceWith(...element.childNodes);
}

/** Write bold, italic and crossed-out styles as elements, and drop elements whose style says the opposite. */
function makeElementsOfStyles(element: HTMLElement) {
  const { fontWeight, fontStyle, textDecoration, textDecorationLine } = element.style;
  const tag = element.localName;
  const isNormal = fontWeight === "normal" || Number(fontWeight || 700) < 600;
  if (((tag === "b" || tag === "strong") && isNormal) || ((tag === "i" || tag === "em") && fontStyle === "normal")) {
    unwrap(element);
    return;
  }
  if (!element.textContent.trim() || element.closest("pre, code")) return;
  const isHeading = element.closest("h1, h2, h3, h4, h5, h6, th") !== null;
  const wrap = (name: string) => {
    const outer = document.createElement(name);
    outer.append(...element.childNodes);
    element.append(outer);
  };
  if (tag !== "span" && tag !== "p" && tag !== "font") return;
  if (!isHeading && (fontWeight === "bold" || Number(fontWeight) >= 600)) wrap("strong");
  if (fontStyle === "italic") wrap("em");
  if (`${textDecoration} ${textDecorationLine}`.includes("line-through")) wrap("del");
}

/** Replace Word's paragraphs "·  flour" and "1.  flour" by lists, nested as their levels say. */
function makeListsOfWord(body: HTMLElement) {
  let open: { list: HTMLElement; id: string; level: number }[] = [];
  for (const paragraph of [...body.querySelectorAll<HTMLElement>("p, h1, h2, h3, h4, h5, h6")]) {
    const [, id = "", digit] = WORD_ITEM.exec(paragraph.getAttribute("style") ?? "") ?? [];
    if (!digit) continue;
    const level = Number(digit);
    if (open[0]?.id !== id || paragraph.previousElementSibling !== open[0].list) open = [];
    const marker = paragraph.querySelector<HTMLElement>("span[style*='mso-list']");
    const tag = /^[\dA-Za-z]+[.)]/.test((marker?.textContent ?? paragraph.textContent).trim()) ? "ol" : "ul";
    marker?.remove();
    const item = document.createElement("li");
    item.append(...paragraph.childNodes);
    open = open.filter((each) => each.level <= level);
    let parent = open.at(-1);
    if (parent?.level !== level) {
      const list = document.createElement(tag);
      if (parent) (parent.list.lastElementChild ?? parent.list).append(list);
      else paragraph.before(list);
      parent = { list, id, level };
      open.push(parent);
    }
    parent.list.append(item);
    paragraph.remove();
  }
}

/** Make the first row the heading, which Markdown requires, and each cell one line. A table for layout is unwrapped. */
function simplifyTable(table: HTMLTableElement) {
  const rows = [...table.rows];
  if (rows.every((row) => row.cells.length < 2)) {
    for (const row of rows) for (const cell of row.cells) table.before(...cell.childNodes);
    table.remove();
    return;
  }
  for (const cell of rows.flatMap((row) => [...row.cells])) {
    for (const block of cell.querySelectorAll("p, div, br")) {
      if (block.nextSibling) block.after(" ");
      unwrap(block);
    }
  }
  if (table.querySelector("th")) return;
  for (const cell of rows[0]?.cells ?? []) {
    const heading = document.createElement("th");
    heading.append(...cell.childNodes);
    cell.replaceWith(heading);
  }
}

/** Replace the address of a redirect, which Google Docs and Gmail write into links, by its target. */
function useRealAddress(link: HTMLAnchorElement) {
  const address = link.getAttribute("href") ?? "";
  if (!/^https?:\/\/www\.google\.com\/url\?/.test(address)) return;
  const target = new URL(address).searchParams.get("q");
  if (target?.startsWith("http")) link.setAttribute("href", target);
}
