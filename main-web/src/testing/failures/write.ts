import { act } from "@testing-library/react";
import { translatePage } from "@/testing/translator";
import { currentToasts, dismissToast } from "@/lib/toast-store";
import { api, HIDDEN_TEXT, type Call, type Fate } from "./api-stub";
import { openPage, settle } from "./app-page";
import { pressElement, type Find, type Step } from "./find";
import { examples } from "./recorded-answers";

const SERVER_ERROR = "Server error. Please try again later.";
const NETWORK_ERROR = "Network error. Please check your internet connection.";

/** A form or button, and the request that it sends. */
export type Write = {
  /** The file below `src` that sends the request, without its suffix. */
  source: string;
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below /api; a star means one part. */
  route: string;
  viewer: string;
  /** A name in braces means the recorder's example of it. */
  address: string;
  /** What the viewer fills in and presses first. */
  steps?: Step[];
  button: Find;
  onServerError?: string;
  onNetworkError?: string;
};

/**
 * Return the faults of the page when the write fails, with an answer and without one, and when it is late. After the
 * first failure, a browser translates the page.
 */
export async function faultsOfWrite(write: Write): Promise<string[]> {
  const { onServerError = SERVER_ERROR, onNetworkError = NETWORK_ERROR } = write;
  const faults: string[] = [];
  const route = new RegExp(`^/api${write.route.replaceAll("*", "[^/]+")}$`);
  const isWrite = ({ method, path }: Call) => method === write.method && route.test(path);
  const decide = (fate: Fate) => api.decide((call) => (isWrite(call) ? fate : "answer"));
  const sent = () => api.calls.filter(isWrite).length;

  decide("answer");
  await openPage(write.viewer, addressOf(write));
  await settle();
  for (const step of write.steps ?? []) {
    await step();
    await settle();
  }
  const values = fieldValues();
  const check = (when: string, words: string) =>
    faults.push(...faultsAfterwards(write, words, values, sent()).map((fault) => `${when}: ${fault}`));

  for (const [fate, words] of [
    ["fail", onServerError],
    ["abort", onNetworkError],
  ] as const) {
    forgetToasts();
    decide(fate);
    pressElement(found(write));
    await settle();
    await translatePage();
    check(fate === "fail" ? "status 500" : "no answer", words);
  }

  forgetToasts();
  decide("hold");
  const button = found(write); // before the press: its name may change while it is busy
  pressElement(button);
  await settle();
  if (!isBusy(button)) faults.push("late: the button is not busy");
  if (button.matches("button:disabled")) faults.push("late: the button loses the focus");
  act(() => button.click());
  await settle();
  api.release((call) => (isWrite(call) ? "fail" : "answer"));
  await settle();
  check("late", onServerError);
  return faults;
}

function addressOf({ address, source }: Write): string {
  return address.replace(/\{(.+?)\}/g, (_, name: string) => {
    const example = examples[name];
    if (example === undefined) throw new Error(`The recorder has no ${name} for ${source}.`);
    return example;
  });
}

function found({ button, source }: Write): HTMLElement {
  const element = button();
  if (element) return element;
  throw new Error(
    `${source}: no button among ${Array.from(document.querySelectorAll("button"), (one) => one.textContent).join(" | ")}`,
  );
}

/** Some stay in the order of focus while they are busy. */
const isBusy = (button: Element) =>
  !button.isConnected || button.matches(":disabled, [aria-busy=true], [aria-disabled=true]");

function faultsAfterwards(write: Write, words: string, values: string[], sent: number): string[] {
  const button = write.button();
  const now = fieldValues();
  // More fields may have loaded meanwhile.
  const lost = values.filter((value) => {
    const at = now.indexOf(value);
    if (at >= 0) now.splice(at, 1);
    return at < 0;
  });
  return [
    ...(button ? [] : ["the button is gone"]),
    ...(button && isBusy(button) ? ["the button stays busy"] : []),
    ...(says(words) ? [] : [`does not say "${words}", but: ${alerts().join(" | ")}`]),
    ...(document.body.textContent.includes(HIDDEN_TEXT) ? ["shows the body of the error"] : []),
    ...(lost.length ? [`loses ${lost.join(", ")}`] : []),
    ...(sent === 1 ? [] : [`sends ${sent} requests`]),
  ];
}

const alerts = () =>
  Array.from(document.querySelectorAll("[role=alert], [role=status], [aria-live], ol > li"))
    .filter((part) => !part.closest("[hidden]"))
    .map((part) => part.textContent);
const says = (words: string) => alerts().some((text) => text.includes(words));

function forgetToasts() {
  act(() => {
    for (const { id } of currentToasts()) dismissToast(id);
  });
}

function fieldValues(): string[] {
  const fields = document.querySelectorAll<HTMLInputElement>("input:not([type=file]), textarea, select");
  return Array.from(fields, (field) =>
    ["checkbox", "radio"].includes(field.type) ? `${field.value}: ${field.checked}` : field.value,
  ).filter(Boolean);
}
