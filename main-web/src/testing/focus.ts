import { act } from "@testing-library/react";
import { expect } from "vitest";

/**
 * Expect that the focus is still near where it was after an action, once everything has arrived: in `area`, and not at
 * the top of the page, where browsers put it when the focused element is removed.
 *
 * @returns the element that has the focus
 */
export async function expectFocusStays(action: () => Promise<unknown>, area: () => HTMLElement): Promise<HTMLElement> {
  await action();
  // The focus moves in a task after the last update.
  await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
  const focused = document.activeElement;
  expect(focused, "the focus is at the top of the page").not.toBe(document.body);
  expect(area().contains(focused), `the focus went to ${focused?.outerHTML.slice(0, 200) ?? "nothing"}`).toBe(true);
  return focused as HTMLElement;
}
