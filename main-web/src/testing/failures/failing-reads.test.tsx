import { act } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { RouteObject } from "react-router-dom";
import { otherRoutes } from "@/app/other-routes";
import { routes } from "@/app/routes";
import { translatePage } from "@/testing/translator";
import { stubApi, type Call, type Fate } from "./api-stub";
import { closePage, openPage, settle } from "./app-page";
import { isVisible } from "./find";
import { addressOf, OPTIONAL, PAGES } from "./pages";

/**
 * Every page of the router without the data it asks for: failed, blocked and late answers. The page keeps its heading,
 * says what is missing, and loads it when the visitor tries again.
 */

const api = stubApi();

// Of every page: other tests let them fail. A failed ping leads staff to the login (SPEC 8.4).
const OF_EVERY_PAGE = /^\/api\/(config|auth\/.*|admin\/ping)$/;
const FAILURE = /(couldn't|didn't|could not|failed to|unable to) (load|reach|get|verify)|isn't responding/i;

beforeAll(async () => {
  const load = async (all: RouteObject[]): Promise<void> => {
    for (const { lazy, children } of all) {
      if (typeof lazy === "function") await lazy();
      await load(children ?? []);
    }
  };
  await load([...routes, ...otherRoutes]);
});
afterEach(closePage);

const isRead = ({ method, path }: Call) => method === "GET" && !OF_EVERY_PAGE.test(path);
const fail =
  (fate: Fate, path?: string) =>
  (call: Call): Fate =>
    isRead(call) && (path === undefined || call.path === path) ? fate : "answer";

const all = (selector: string) => Array.from(document.querySelectorAll(selector)).filter(isVisible);
const hasHeading = () => all("h1").length > 0;
const saysFailure = () => FAILURE.test(visibleText());
const busy = () => [
  ...document.querySelectorAll("main [aria-busy=true]"),
  ...all("[role=status]").filter((status) => /loading/i.test(status.textContent)),
];

function visibleText(): string {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (parentElement && !parentElement.closest("[hidden], script, style")) texts.push(textContent);
  }
  return texts.join("");
}

function faultsOfWhole(): string[] {
  return [
    ...(hasHeading() ? [] : ["has no h1"]),
    ...(all("h1").some((heading) => heading.textContent === "Something went wrong") ? ["crashes"] : []),
    ...(busy().length ? ["stays busy"] : []),
    ...(saysFailure() ? [`says that something failed: ${FAILURE.exec(visibleText())?.[0]}`] : []),
  ];
}

function faultsWithout({ saysSo }: { saysSo: boolean }): string[] {
  return [
    ...(saysSo && !saysFailure() ? ["is silent"] : []),
    ...(!saysSo && saysFailure() ? ["says so, though it is whole"] : []),
    ...(busy().length ? ["stays busy"] : []),
    ...(hasHeading() ? [] : ["has no h1"]),
  ];
}

function faultsWhileHeld({ loads }: { loads: boolean }): string[] {
  if (loads && !busy().length) return ["shows no loading state"];
  return hasHeading() || busy().length ? [] : ["shows no heading"];
}

/** Press every "Try again" at once: what one of them loads may be what another waits for. */
async function tryAgain(): Promise<string[]> {
  const buttons = all("button").filter((button) => button.textContent.trim() === "Try again");
  if (!buttons.length) return ["has no button"];
  await translatePage();
  act(() => buttons.forEach((button) => (button as HTMLElement).click()));
  await settle();
  return faultsOfWhole().length ? [`does not come back: ${faultsOfWhole().join(", ")}`] : [];
}

it.each(PAGES)("the page without its reads says so: $viewer $path", async ({ viewer, path }) => {
  const address = addressOf(path);
  const faults: string[] = [];
  const note = (when: string, found: string[]) => faults.push(...found.map((fault) => `${when}: ${fault}`));

  api.decide(fail("answer"));
  await openPage(viewer, address);
  await settle();
  note("whole", faultsOfWhole());
  const whole = visibleText();
  const calls = new Set(api.calls.filter(isRead).map((call) => call.path));
  const needed = [...calls].filter((call) => !OPTIONAL.some(([where, what]) => where.test(path) && what.test(call)));
  for (const call of calls) {
    api.decide(fail("fail", call));
    await openPage(viewer, address);
    await settle();
    note(`500 of ${call}`, faultsWithout({ saysSo: needed.includes(call) }));
    api.release();
    if (needed.includes(call)) note(`500 of ${call}, tried again`, await tryAgain());
  }
  if (calls.size) {
    api.decide(fail("abort"));
    await openPage(viewer, address);
    await settle();
    note("blocked", faultsWithout({ saysSo: needed.length > 0 }));
    api.release();
    if (needed.length) note("tried again", await tryAgain());

    api.decide(fail("hold"));
    await openPage(viewer, address);
    await settle();
    note("held", faultsWhileHeld({ loads: needed.length > 0 }));
    await translatePage();
    api.release();
    await settle();
    note("held and translated, then answered", faultsOfWhole());
    const text = visibleText();
    if (text !== whole) note("held and translated, then answered", [`shows other text: ${text}\n!=\n${whole}`]);
  }
  expect({ faults, unanswered: [...api.unknown] }).toEqual({ faults: [], unanswered: [] });
});
