import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState, type ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectFocusStays } from "@/testing/focus";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { LoadNotice } from "./load-notice";
import { Skeleton } from "./skeleton";
import { ErrorState } from "./state";
import { keepFocus } from "@porchlight/shared/focus-keeper";

let stop: () => void;
beforeEach(() => {
  stop = keepFocus();
});
afterEach(() => stop());

/** What a query shows, in turn: each press of its button goes on to the next. */
function InTurn({ states }: { states: ((next: () => void) => ReactNode)[] }) {
  const [at, setAt] = useState(0);
  return (
    <main>
      <h1>Title</h1>
      <section aria-label="Area">{states[at]?.(() => setAt(at + 1))}</section>
      <button type="button">Far away</button>
    </main>
  );
}

const area = () => screen.getByRole("region", { name: "Area" });
const press = (name: string) => () => userEvent.click(screen.getByRole("button", { name }));

describe("the focus", () => {
  it("stays where an error was when its content arrives", async () => {
    const failed = (next: () => void) => <ErrorState title="No" message="Gone" onRetry={next} />;
    render(<InTurn states={[failed, () => <ul aria-label="Found" />]} />);
    const focused = await expectFocusStays(press("Try again"), area);
    expect(focused.getAttribute("aria-label")).toBe("Found");
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe("Far away");
    expect(focused.hasAttribute("tabindex")).toBe(false);
  });

  it("goes on from a skeleton to what replaces it", async () => {
    let arrive: () => void = () => undefined;
    const loading = (next: () => void) => {
      arrive = next;
      return <Skeleton height="2rem" radius="md" />;
    };
    const failed = (next: () => void) => <ErrorState title="No" message="Gone" onRetry={next} />;
    render(<InTurn states={[failed, loading, () => <p>Here it is</p>]} />);
    await expectFocusStays(press("Try again"), area);
    const focused = await expectFocusStays(() => act(async () => Promise.resolve().then(arrive)), area);
    expect(focused.textContent).toBe("Here it is");
  });

  it("stays where a notice about a missing part was", async () => {
    const failed = (next: () => void) => (
      <>
        <LoadNotice
          what="the prices"
          queries={[{ isLoadingError: true, refetch: () => Promise.resolve().then(next) as never }]}
        />
        <p>The rest</p>
      </>
    );
    render(<InTurn states={[failed, () => <p>The rest</p>]} />);
    await expectFocusStays(press("Try again"), area);
  });

  it("stays at the end of a list whose last page has arrived", async () => {
    const list = (items: string[], more: ReactNode) => (
      <>
        <ul>
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        {more}
      </>
    );
    render(
      <InTurn
        states={[(next) => list(["a"], <Button onClick={next}>Show more</Button>), () => list(["a", "b"], null)]}
      />,
    );
    await expectFocusStays(press("Show more"), area);
  });

  it.each([
    ["first", ["a", "b", "c"], "a", "b"],
    ["middle", ["a", "b", "c"], "b", "c"],
    ["last", ["a", "b", "c"], "c", "b"],
  ])("goes to the row beside the %s one when that is deleted", async (_, rows, deleted, focusedRow) => {
    const list = (items: string[], next: () => void) => (
      <ul>
        {items.map((item) => (
          <li key={item} data-row={item}>
            <Button onClick={next}>Delete {item}</Button>
          </li>
        ))}
      </ul>
    );
    const left = rows.filter((row) => row !== deleted);
    render(<InTurn states={[(next) => list(rows, next), () => list(left, () => undefined)]} />);
    const focused = await expectFocusStays(press(`Delete ${deleted}`), area);
    // The row, not its button: a second Enter would delete it, too.
    expect(focused.dataset.row).toBe(focusedRow);
  });

  it("stays where the only row was", async () => {
    const row = (next: () => void) => (
      <ul>
        <li>
          <Button onClick={next}>Delete</Button>
        </li>
      </ul>
    );
    render(<InTurn states={[row, () => <p>Nothing left</p>]} />);
    await expectFocusStays(press("Delete"), area);
  });

  it("stays on a button that becomes busy", async () => {
    render(<InTurn states={[(next) => <Button onClick={next}>Save</Button>, () => <Button loading>Save</Button>]} />);
    const saved = await expectFocusStays(press("Save"), area);
    expect(saved.textContent).toBe("Save");
  });

  it("stays on a button that says what it has done", async () => {
    render(<InTurn states={[() => <CopyButton text="x" what="the text" />]} />);
    await expectFocusStays(press("Copy the text"), area);
  });

  it("is where the page puts it", async () => {
    function Page() {
      const [isGone, setGone] = useState(false);
      return (
        <main>
          <h1 tabIndex={-1}>Title</h1>
          {!isGone && (
            <button
              type="button"
              onClick={() => {
                setGone(true);
                document.querySelector("h1")?.focus();
              }}
            >
              Go
            </button>
          )}
        </main>
      );
    }
    render(<Page />);
    await expectFocusStays(press("Go"), () => screen.getByRole("heading"));
  });
});
