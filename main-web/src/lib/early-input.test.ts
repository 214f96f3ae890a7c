import { expect, it, onTestFinished } from "vitest";
import { enterEarlyInput, holdInput, moveEarlyInput, releasePresses } from "./early-input";

/** Show a prerendered page. Return what lets the app take it over, and returns the ids that the app sees pressed. */
function prerender(html: string): () => string[] {
  const root = document.createElement("div");
  root.innerHTML = html;
  document.body.append(root);
  onTestFinished(() => root.remove());
  holdInput(root);
  return () => {
    const pressed: string[] = [];
    root.addEventListener("click", ({ target }) => pressed.push((target as HTMLElement).id));
    releasePresses(root);
    return pressed;
  };
}

const click = (id: string) => document.getElementById(id)?.click();

/** Press a key in the focused element. Return whether the page took it. */
function pressKey(key: string, init: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  document.activeElement?.dispatchEvent(event);
  return event.defaultPrevented;
}

const TABS = `<div role="tablist">
  <button type="button" role="tab" id="one"></button>
  <button type="button" role="tab" id="two"></button>
  <button type="button" role="tab" id="three"></button>
</div>`;

it("presses each held button once, in order", () => {
  const takeOver = prerender(
    '<button type="button" id="menu"><i id="icon"></i></button><button type="button" id="change"></button>',
  );
  click("icon");
  click("change");
  click("menu");
  expect(takeOver()).toEqual(["change", "menu"]);
});

it("leaves links, submit buttons and text to the browser", () => {
  const takeOver = prerender('<a id="link"></a><input id="field" /><button type="submit" id="submit"></button>');
  for (const id of ["link", "field", "submit"]) click(id);
  document.getElementById("field")?.focus();
  expect(pressKey("ArrowRight")).toBe(false);
  expect(takeOver()).toEqual([]);
});

it("moves between tabs by key and presses the last one", () => {
  const takeOver = prerender(TABS);
  document.getElementById("one")?.focus();
  for (const [key, id] of [
    ["ArrowRight", "two"],
    ["End", "three"],
    ["ArrowRight", "one"],
    ["ArrowLeft", "three"],
    ["Home", "one"],
    ["ArrowRight", "two"],
  ] as const) {
    expect(pressKey(key)).toBe(true);
    expect(document.activeElement?.id).toBe(id);
  }
  expect(pressKey("ArrowRight", { ctrlKey: true })).toBe(false);
  expect(pressKey("a")).toBe(false);
  expect(takeOver()).toEqual(["two"]);
});

it("presses the last clicked tab only", () => {
  const takeOver = prerender(TABS);
  for (const id of ["two", "three", "one"]) click(id);
  expect(takeOver()).toEqual(["one"]);
});

it("holds nothing once the app has taken over", () => {
  const takeOver = prerender(TABS);
  expect(takeOver()).toEqual([]);
  click("two");
  document.getElementById("one")?.focus();
  expect(pressKey("ArrowRight")).toBe(false);
  expect(document.activeElement?.id).toBe("one");
  expect(takeOver()).toEqual([]);
});

it("enters what was entered early, as a person does", () => {
  const root = document.createElement("div");
  root.innerHTML = `<input id="text" value=""><select id="city"><option>Denver</option><option>Boulder</option></select>
    <input type="radio" name="per" id="month" checked><input type="radio" name="per" id="year">`;
  document.body.append(root);
  onTestFinished(() => root.remove());
  holdInput(root);
  const enter = (id: string, change: (field: HTMLInputElement) => void) => {
    const field = document.getElementById(id) as HTMLInputElement;
    change(field);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  enter("text", (field) => (field.value = "early"));
  enter("city", (field) => (field.value = "Boulder"));
  enter("year", (field) => (field.checked = true));
  (document.getElementById("text") as HTMLInputElement).value = ""; // React's next render

  const seen: string[] = [];
  for (const type of ["input", "change"]) {
    root.addEventListener(type, ({ target }) => seen.push(`${type} ${(target as HTMLInputElement).id}`));
  }
  enterEarlyInput(root);
  enterEarlyInput(root);
  expect(seen).toEqual(["input text", "change city", "input year", "change year"]);
  expect((document.getElementById("text") as HTMLInputElement).value).toBe("early");
  expect((document.getElementById("city") as HTMLSelectElement).value).toBe("Boulder");
  expect((document.getElementById("year") as HTMLInputElement).checked).toBe(true);
});

it("sends a form without an address once, with what was entered, when the app is there", () => {
  const takeOver = prerender(
    '<form id="form"><input name="password" /><button id="send"></button></form><form id="search" action="/search"></form>',
  );
  const [form, search] = [...document.querySelectorAll("form")];
  const field = document.querySelector("input");
  if (!form || !search || !field) throw new Error("no form");
  const isLeft = (sent: HTMLFormElement) =>
    sent.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  field.value = "porchlight";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  expect([isLeft(form), isLeft(form), isLeft(search)]).toEqual([false, false, true]);
  takeOver();
  const sent: string[] = [];
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push(field.value);
  });
  field.value = "";
  enterEarlyInput(form.parentElement ?? document.body);
  expect(sent).toEqual(["porchlight"]);
});

it("moves text, focus, choices and presses to the elements that replace those of the first paint", () => {
  const page = `<main><input name="q" /><input name="near" /><select name="kind"><option>All</option><option>Help</option>
    </select><input type="radio" name="per" value="hour" checked /><input type="radio" name="per" value="visit" />
    <button type="button" id="map">Map</button><form><button>Send</button></form></main>`;
  const takeOver = prerender(page);
  const root = document.querySelector("main")?.parentElement;
  if (!root) throw new Error("no page");
  const fields = [...document.querySelectorAll<HTMLInputElement>("input, select")];
  const enter = (field: HTMLInputElement | undefined, change: (field: HTMLInputElement) => void) => {
    if (!field) throw new Error("no field");
    field.focus();
    change(field);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  enter(fields[2], (field) => (field.value = "Help"));
  enter(fields[4], (field) => (field.checked = true));
  click("map");
  document.querySelector("form")?.requestSubmit();
  takeOver();
  // Typed while React renders, and the caret stands before the last letter.
  enter(fields[0], (field) => (field.value = "bread"));
  fields[0]?.setSelectionRange(4, 4);

  root.innerHTML = page;
  const pressed: string[] = [];
  root.addEventListener("click", ({ target }) => pressed.push((target as HTMLElement).id));
  root.addEventListener("submit", (event) => (event.preventDefault(), pressed.push("sent")));
  moveEarlyInput(root);
  const shown = [...document.querySelectorAll<HTMLInputElement>("input, select")];
  expect(shown[0]?.value).toBe("bread");
  enterEarlyInput(root);
  expect(shown.map(({ value }) => value)).toEqual(["bread", "", "Help", "hour", "visit"]);
  expect(shown[4]?.checked).toBe(true);
  expect(document.activeElement).toBe(shown[0]);
  expect(shown[0]?.selectionStart).toBe(4);
  expect(pressed.filter(Boolean)).toEqual(["map", "sent"]);
});
