/** What was typed into a page that has to be loaded again. Kept in the tab until the page is back. */
const KEPT = "porchlight.typed";
/** Then the text is forgotten: its fields have not come back. */
const RESTORING_MS = 20_000;
const FIELDS = "input, textarea, select";
const NOT_KEPT = new Set(["password", "file", "hidden", "submit", "button"]);

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Kept = { path: string; values: [name: string, value: string][] };

const isChoice = (field: Field): field is HTMLInputElement => ["checkbox", "radio"].includes(field.type);
const valueOf = (field: Field) => (isChoice(field) ? String(field.checked) : field.value);

function labelOf(field: Field): string {
  const label = field.labels?.[0]?.cloneNode(true) as Element | undefined;
  label?.querySelectorAll(FIELDS).forEach((inside) => inside.remove());
  return (field.getAttribute("aria-label") ?? label?.textContent ?? "").trim();
}

/** Return the fields of the page by their type and label. */
function fields(): Map<string, Field> {
  const found = new Map<string, Field>();
  for (const field of document.querySelectorAll<Field>(FIELDS)) {
    if (NOT_KEPT.has(field.type)) continue;
    let name = [field.type, field.name, labelOf(field), isChoice(field) ? field.value : ""].join("|");
    while (found.has(name)) name += "+";
    found.set(name, field);
  }
  return found;
}

/** Keep what is typed on the page at this path, without passwords. */
export function keepTypedText(path: string) {
  const values = [...fields()].map(([name, field]): [string, string] => [name, valueOf(field)]);
  const kept: Kept = { path, values: values.filter(([, value]) => value !== "" && value !== "false") };
  try {
    if (kept.values.length > 0) sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Storage is full or unavailable: the fields are empty afterwards.
  }
}

function takeKept(path: string): Map<string, string> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Kept | null;
    sessionStorage.removeItem(KEPT);
    return new Map(kept?.path === path ? kept.values : []);
  } catch {
    return new Map();
  }
}

/** Give the page at this path what was typed into it before, as its fields appear, unless someone types already. */
export function restoreTypedText(path: string) {
  const missing = takeKept(path);
  if (missing.size === 0) return;
  const typed = new AbortController();
  window.addEventListener(
    "keydown",
    ({ target }) => {
      for (const [name, field] of fields()) if (field === target) missing.delete(name);
    },
    { capture: true, signal: typed.signal },
  );
  const restore = () => {
    for (const [name, field] of fields()) {
      const value = missing.get(name);
      if (value === undefined) continue;
      missing.delete(name);
      if (value !== valueOf(field)) write(field, value);
    }
    if (missing.size === 0) end();
  };
  const appearing = new MutationObserver(restore);
  const end = () => {
    appearing.disconnect();
    typed.abort();
  };
  appearing.observe(document.body, { childList: true, subtree: true });
  setTimeout(end, RESTORING_MS);
  restore();
}

/** Enter a value as a person would, so that React notices. */
function write(field: Field, value: string) {
  if (isChoice(field)) {
    field.click();
    return;
  }
  // React overrides the setter of the element itself.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, "value")?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
}
