import { act, cleanup, render } from "@testing-library/react";
import { Fragment, type ReactNode } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { translatePage, wrapPage } from "@/testing/translator";
import { surviveTranslation } from "./translated-pages";

let stop: () => void;
beforeEach(() => (stop = surviveTranslation()));
afterEach(() => {
  cleanup();
  stop();
});

type Texts = Record<string, ReactNode>;

/** Text with siblings that come, go and change, as in buttons and sentences. */
function Sentence({ icon, count, end, last }: Texts) {
  return (
    <p>
      {icon}You have {count} new messages{end}
      {last && <b>{last}</b>}
    </p>
  );
}

/** Show one state, let a translator at it, and return what the page shows in the next state. */
async function shownAfter(before: ReactNode, after: ReactNode, translate: typeof translatePage) {
  const { container, rerender } = render(before);
  await translate();
  // Only an asynchronous act waits for observers.
  await act(async () => rerender(after));
  return container.textContent;
}

const ICON = <i>*</i>;
const CHANGES: [string, Texts, Texts, string][] = [
  ["an element before the text comes", { count: 1 }, { count: 1, icon: ICON }, "*You have 1 new messages"],
  ["an element before the text goes", { count: 1, icon: ICON }, { count: 1 }, "You have 1 new messages"],
  ["a text changes", { count: 1 }, { count: 2 }, "You have 2 new messages"],
  ["a text comes", { count: 1 }, { count: 1, end: "!" }, "You have 1 new messages!"],
  ["a text goes", { count: 1, end: "!" }, { count: 1 }, "You have 1 new messages"],
  ["all change", { count: 1, end: "!" }, { count: 2, icon: ICON, last: "Now" }, "*You have 2 new messagesNow"],
];

for (const [name, translate] of [
  ["replaced", translatePage],
  ["wrapped", wrapPage],
] as const) {
  it.each(CHANGES)(`shows what React shows with ${name} texts: %s`, async (_, before, after, shown) => {
    expect(await shownAfter(<Sentence {...before} />, <Sentence {...after} />, translate)).toBe(shown);
  });

  it(`moves ${name} texts`, async () => {
    const list = (names: string[]) => (
      <p>
        {names.map((one) => (
          <Fragment key={one}>{one}</Fragment>
        ))}
      </p>
    );
    expect(await shownAfter(list(["a", "b", "c"]), list(["c", "a", "b"]), translate)).toBe("cab");
  });
}

it("lets a translator translate a changed text again", async () => {
  const { container, rerender } = render(<Sentence count={0} />);
  for (const count of [1, 2, 3]) {
    await translatePage();
    await act(async () => rerender(<Sentence count={count} />));
    expect(container.textContent).toBe(`You have ${count} new messages`);
  }
});

it("hides nothing from the rest of the app", () => {
  const parent = document.createElement("div");
  const stranger = document.createElement("b");
  expect(() => parent.removeChild(stranger)).toThrow(DOMException);
  expect(() => parent.insertBefore(document.createElement("i"), stranger)).toThrow(DOMException);
});
