import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { DayGrid } from "./day-grid";

const COUNTS = new Map([
  ["2026-12-17", 1],
  ["2026-12-24", 3],
  ["2027-01-04", 2],
]);

function Grid({ onChoose = () => undefined }: { onChoose?: (day: string) => void }) {
  const [shown, setShown] = useState("2026-12-17");
  return (
    <DayGrid
      shown={shown}
      chosen="2026-12-24"
      today="2026-12-16"
      lastDay="2027-01-20"
      counts={COUNTS}
      marked={{ day: "2026-12-17", label: "your session now" }}
      onChoose={onChoose}
      onMove={setShown}
    />
  );
}

const focused = () => document.activeElement?.getAttribute("aria-label");

describe("a grid of days", () => {
  it("names its month, the times of each day and the marked one", () => {
    render(<Grid />);
    expect(screen.getByRole("grid", { name: "December 2026" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Thursday, December 17, your session now, 1 time" })).toBeTruthy();
    const chosen = screen.getByRole("gridcell", { selected: true });
    expect(chosen.textContent).toBe("24");
    const none = screen.getByRole("button", { name: "Friday, December 18, no times" });
    expect(none.getAttribute("aria-disabled")).toBe("true");
  });

  it("has one tab stop, and arrow and page keys move within the days that can be booked", async () => {
    const chosen: string[] = [];
    render(<Grid onChoose={(day) => chosen.push(day)} />);
    const user = userEvent.setup();
    screen.getByRole("button", { name: /^Thursday, December 17/ }).focus();
    await user.keyboard("{ArrowUp}");
    expect(focused()).toBe("Wednesday, December 16, no times");
    await user.keyboard(" ");
    await user.keyboard("{ArrowRight}{ArrowDown}");
    expect(focused()).toBe("Thursday, December 24, 3 times");
    await user.keyboard("{Enter}");
    expect(chosen).toEqual(["2026-12-24"]);
    await user.keyboard("{PageDown}");
    expect(focused()).toBe("Wednesday, January 20, no times");
    expect(screen.getByRole("grid", { name: "January 2027" })).toBeTruthy();
    const stops = screen.getAllByRole("button").filter((one) => one.dataset.day !== undefined && one.tabIndex === 0);
    expect(stops).toHaveLength(1);
  });

  it("keeps the focus on a button that has nothing beyond it", async () => {
    render(<Grid />);
    const next = screen.getByRole("button", { name: "Next month" });
    await userEvent.click(next);
    expect(screen.getByRole("grid", { name: "January 2027" })).toBeTruthy();
    expect(next.getAttribute("aria-disabled")).toBe("true");
    await userEvent.click(next);
    expect(document.activeElement).toBe(next);
  });
});
