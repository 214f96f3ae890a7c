// @vitest-environment jsdom
import { act, type ReactElement, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { FreeStart } from "../../../lib/types";
import { DayGrid, DayGridHead } from "./day-grid";

const TODAY = "2026-12-16";
const LAST = "2027-01-20";
const FREE = [{ startsAt: "2026-12-17T16:00:00Z", seats: 1 }] as unknown as FreeStart[];

interface GridProps {
  days: Map<string, FreeStart[]>;
  onChoose?: (day: string) => void;
}

function Grid({ days, onChoose = () => undefined }: GridProps) {
  const [shown, setShown] = useState("2026-12-17");
  return (
    <>
      <DayGridHead shown={shown} today={TODAY} lastDay={LAST} hrefOf={(day) => `?day=${day}`} onGo={setShown} />
      <DayGrid
        shown={shown}
        chosen={null}
        today={TODAY}
        lastDay={LAST}
        days={days}
        isLoading={false}
        isInteractive
        hrefOf={(day) => `?day=${day}`}
        onChoose={onChoose}
        onMove={setShown}
      />
    </>
  );
}

let root: Root;
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
});

const show = (element: ReactElement) => act(() => root.render(element));
const month = () => document.querySelector("h2")?.textContent;
const focused = () => document.activeElement as HTMLElement;
const press = (key: string) =>
  act(() => void focused().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

function day(date: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-day="${date}"]`);
  if (!found) throw new Error(`no ${date}`);
  return found;
}

describe("the calendar of free times", () => {
  it("keeps the focus on a day whose times arrive or are gone", () => {
    show(<Grid days={new Map()} />);
    const focusedDay = day("2026-12-17");
    act(() => focusedDay.focus());
    expect(focusedDay.getAttribute("aria-label")).toContain("no times");
    for (const days of [new Map([["2026-12-17", FREE]]), new Map<string, FreeStart[]>()]) {
      show(<Grid days={days} />);
      expect(day("2026-12-17").hasAttribute("href")).toBe(days.size > 0);
      expect(focused()).toBe(day("2026-12-17"));
    }
  });

  it("keeps the focus on the link to a month when there is none beyond", () => {
    show(<Grid days={new Map()} />);
    const next = [...document.querySelectorAll("a")].find(({ textContent }) => textContent.includes("Next month"));
    act(() => next?.focus());
    act(() => next?.click());
    expect(month()).toContain("January");
    expect(focused()).toBe(next);
    expect(next?.getAttribute("aria-disabled")).toBe("true");
    act(() => next?.click());
    expect(month()).toContain("January");
  });

  it("moves by arrows and pages, and chooses by space", () => {
    const chosen: string[] = [];
    show(<Grid days={new Map([["2026-12-24", FREE]])} onChoose={(one) => chosen.push(one)} />);
    act(() => day("2026-12-17").focus());
    press(" ");
    expect(chosen).toEqual([]);
    press("ArrowDown");
    expect(focused()).toBe(day("2026-12-24"));
    press(" ");
    expect(chosen).toEqual(["2026-12-24"]);
    press("PageDown");
    expect(focused()).toBe(day("2027-01-20"));
    press("PageUp");
    expect(focused()).toBe(day("2026-12-20"));
  });
});
