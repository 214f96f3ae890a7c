import { act, fireEvent } from "@testing-library/react";

/** A text, which must be the whole name, or a pattern of it. */
export type Name = string | RegExp;
export type Role = "button" | "checkbox" | "link" | "radio" | "switch" | "tab";
/** Where to look: a selector, and a text that must be in the element. */
export type Inside = string | { selector: string; text: string };
export type Find = () => HTMLElement | undefined;
export type Step = () => Promise<void> | void;

const SELECTORS: Record<Role, string> = {
  button: "button:not([role]), [role=button], input[type=submit]",
  checkbox: "input[type=checkbox]:not([role]), [role=checkbox]",
  link: "a[href]:not([role])",
  radio: "input[type=radio], [role=radio]",
  switch: "[role=switch]",
  tab: "[role=tab]",
};
const FIELDS = "input, textarea, select";

const plain = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();

/** Return the name of an element, as far as our pages need it. Testing Library's roles take ten times as long. */
export function nameOf(element: HTMLElement): string {
  const label = element.getAttribute("aria-label");
  if (label) return plain(label);
  const ids = element.getAttribute("aria-labelledby");
  if (ids)
    return plain(
      ids
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(" "),
    );
  const { labels } = element as HTMLInputElement;
  return plain(labels?.length ? Array.from(labels, textOf).join(" ") : textOf(element));
}

/** Return the text of an element without the content of its fields, and with that of its images. */
function textOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const part of copy.querySelectorAll("select, textarea, [aria-hidden=true]")) part.remove();
  for (const image of copy.querySelectorAll("img")) image.replaceWith(image.alt);
  return copy.textContent;
}

export function isVisible(element: Element): boolean {
  return !element.closest("[hidden], [inert], [aria-hidden=true]");
}

function matches(text: string, name: Name): boolean {
  return typeof name === "string" ? text === name : name.test(text);
}

function places(inside: Inside): Element[] {
  const { selector, text } = typeof inside === "string" ? { selector: inside, text: "" } : inside;
  return Array.from(document.querySelectorAll(selector)).filter((place) => place.textContent.includes(text));
}

/** Find the first visible element with this role and name. */
export function named(name: Name, { role = "button", inside = "body" }: { role?: Role; inside?: Inside } = {}): Find {
  return () =>
    places(inside)
      .flatMap((place) => Array.from(place.querySelectorAll<HTMLElement>(SELECTORS[role])))
      .find((element) => isVisible(element) && matches(nameOf(element), name));
}

function require(find: Find, what: string): HTMLElement {
  const element = find();
  if (element) return element;
  const offered = Array.from(document.querySelectorAll<HTMLElement>("button, a, input, select, textarea"), nameOf);
  throw new Error(`There is no ${what} in: ${offered.join(" | ")}\n${plain(document.body.textContent)}`);
}

/** Press an element with the mouse. */
export function pressElement(element: HTMLElement) {
  act(() => {
    for (const type of ["pointerDown", "mouseDown"] as const) fireEvent[type](element, { button: 0 });
    element.focus();
    for (const type of ["pointerUp", "mouseUp"] as const) fireEvent[type](element, { button: 0 });
    element.click();
  });
}

/** Press a button, tab or link. */
export function press(name: Name, where: { role?: Role; inside?: Inside } = {}): Step {
  return () => pressElement(require(named(name, where), `${where.role ?? "button"} ${String(name)}`));
}

function field(label: Name): HTMLElement {
  const find = () =>
    Array.from(document.querySelectorAll<HTMLElement>(FIELDS)).find(
      (element) => isVisible(element) && matches(nameOf(element), label),
    );
  return require(find, `field ${String(label)}`);
}

/** Type a text into a field. */
export function fill(label: Name, text: string): Step {
  return () => typeInto(field(label), text);
}

/** Replace the text of a field. */
export function typeInto(element: HTMLElement, text: string) {
  act(() => {
    element.focus();
    fireEvent.input(element, { target: { value: text } });
    fireEvent.change(element, { target: { value: text } });
    fireEvent.blur(element);
  });
}

/** Choose an option of a field. */
export function choose(label: Name, value: string): Step {
  return () => void fireEvent.change(field(label), { target: { value } });
}

/** Press the first element of this role. */
export function pickFirst(role: Role, inside: Inside): Step {
  return press(/(?:)/, { role, inside });
}

/** Press all unchecked boxes of these names. */
export function checkAll(name: RegExp, inside: Inside): Step {
  return () => {
    for (const place of places(inside)) {
      for (const box of place.querySelectorAll<HTMLElement>(SELECTORS.checkbox)) {
        if (name.test(nameOf(box)) && !(box as HTMLInputElement).checked) pressElement(box);
      }
    }
  };
}

function photo(): File {
  const bytes = new Uint8Array([137, 80, 78, 71]);
  const file = new File([bytes], "photo.png", { type: "image/png" });
  return Object.assign(file, { arrayBuffer: () => Promise.resolve(bytes.buffer) }); // which jsdom lacks
}

/** Choose a photo in the file field with this label. */
export function chooseFile(label: Name): Step {
  return () => {
    const inputs = Array.from(document.querySelectorAll<HTMLInputElement>("input[type=file]"));
    const input = inputs.find((one) => matches(nameOf(one), label));
    if (!input) throw new Error(`There is no file field ${String(label)} among ${inputs.map(nameOf).join(" | ")}`);
    giveFile(input);
  };
}

function giveFile(input: HTMLInputElement) {
  Object.defineProperty(input, "files", { configurable: true, value: [photo()] });
  fireEvent.change(input);
}

/** Choose a photo whenever a button asks for one. */
export function answerFileChooser() {
  for (const input of document.querySelectorAll<HTMLInputElement>("input[type=file]")) {
    input.click = () => giveFile(input);
  }
}

/** Return the date in so many days, as date fields hold it. */
export function daysAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
