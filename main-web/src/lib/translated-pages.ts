/**
 * Keeps the app working on pages that a browser translates. Translators put `<font>` elements in the place of text
 * nodes, or around them. React still holds its text nodes: it throws when it removes one or inserts beside it, and it
 * changes one that is no longer shown. So this knows which `<font>` shows which text, and lets React's calls mean it.
 */

/** The translator's element that is shown in the place of a text node. */
const standIns = new WeakMap<Node, Element>();

/** Whether the node is a translator's; the app has no `<font>` itself. */
const isFont = (node: Node | null): node is Element => node instanceof Element && node.localName === "font";

const isSamePlace = (one: MutationRecord, other: MutationRecord) =>
  one.target === other.target && one.previousSibling === other.previousSibling && one.nextSibling === other.nextSibling;

/**
 * Let the app survive translators from now on.
 * @returns a function that ends it
 */
export function surviveTranslation(root: Node = document.body): () => void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with `this` below
  const { appendChild, insertBefore, removeChild } = Node.prototype;
  const places = new MutationObserver(noteStandIns);
  const texts = new MutationObserver((records) => records.forEach(({ target }) => showAgain(target)));
  places.observe(root, { childList: true, subtree: true });

  function noteStandIns(records: MutationRecord[]) {
    const free = new Set(records.flatMap(({ addedNodes }) => [...addedNodes].filter(isFont)));
    if (free.size === 0) return;
    for (const record of records) {
      for (const text of record.removedNodes) {
        if (!(text instanceof Text) || text.parentNode) continue;
        const isFree = (node: Node | null): node is Element => isFont(node) && free.has(node);
        const standIn =
          [...record.addedNodes, record.previousSibling, record.nextSibling].find(isFree) ??
          records.flatMap((other) => (isSamePlace(record, other) ? [...other.addedNodes] : [])).find(isFree);
        if (!standIn) continue;
        free.delete(standIn);
        standIns.set(text, standIn);
        texts.observe(text, { characterData: true });
      }
    }
  }

  /** Return the child of `parent` that shows `node`: the `<font>` around it or in its place. */
  function shownIn(parent: Node, node: Node): Node | null {
    noteStandIns(places.takeRecords());
    let shown: Node | null = node.parentNode ?? standIns.get(node) ?? null;
    while (shown && shown.parentNode !== parent) shown = isFont(shown) ? shown.parentNode : null;
    return isFont(shown) ? shown : null;
  }

  /** Show a text node with its new text. The translator then translates it again. */
  function showAgain(text: Node) {
    const standIn = standIns.get(text);
    standIns.delete(text);
    if (standIn && !text.parentNode && text instanceof Text) standIn.replaceWith(text);
  }

  /** Remove what is shown in the old place of a text node. */
  function leaveOldPlace(node: Node) {
    if (!(node instanceof Text)) return;
    standIns.get(node)?.remove();
    standIns.delete(node);
  }

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    const shown = shownIn(this, child);
    // A text that a translator dropped is gone already.
    if (shown || !(child instanceof Text)) removeChild.call(this, shown ?? child);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    leaveOldPlace(node);
    if (!next || next.parentNode === this) return insertBefore.call(this, node, next) as T;
    return insertBefore.call(this, node, shownIn(this, next) ?? (next instanceof Text ? null : next)) as T;
  };
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    leaveOldPlace(node);
    return appendChild.call(this, node) as T;
  };

  return () => {
    places.disconnect();
    texts.disconnect();
    Object.assign(Node.prototype, { appendChild, insertBefore, removeChild });
  };
}
