import { act } from "@testing-library/react";

const SKIPPED = "font, script, style, textarea, [translate=no], .notranslate";

/** Translate the page as Chrome does: each text node is replaced by a `<font>` in a `<font>`. The words stay the same. */
export function translatePage(root: Node = document.body) {
  return translate(root, (text, outer, inner) => {
    inner.append(text.data);
    text.replaceWith(outer);
  });
}

/** Translate the page as some extensions do: each text node is moved into a `<font>` in a `<font>`. */
export function wrapPage(root: Node = document.body) {
  return translate(root, (text, outer, inner) => {
    text.before(outer);
    inner.append(text);
  });
}

async function translate(root: Node, change: (text: Text, outer: Element, inner: Element) => void) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  const font = () => document.createElementNS("http://www.w3.org/1999/xhtml", "font");
  // eslint-disable-next-line @typescript-eslint/require-await -- only an asynchronous act waits for observers.
  await act(async () => {
    for (const text of texts) {
      if (text.data.trim() === "" || text.parentElement?.closest(SKIPPED)) continue;
      const outer = font();
      change(text, outer, outer.appendChild(font()));
    }
  });
}
