import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toast } from "./toast-store";
import { Toaster } from "./toaster";

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toaster />);
});
afterEach(() => vi.useRealTimers());

const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
const shown = () =>
  Array.from(document.querySelectorAll("ol > li"), (item) => item.textContent);

describe("toasts", () => {
  it("stay 4 seconds", () => {
    act(() => toast.success("Saved"));
    expect(shown()).toEqual(["Saved"]);
    pass(3900);
    expect(shown()).toEqual(["Saved"]);
    pass(200);
    expect(shown()).toEqual([]);
  });

  it("stack, the oldest giving way to a fifth", () => {
    act(() => ["1", "2", "3", "4", "5"].forEach((text) => toast.info(text)));
    expect(shown()).toEqual(["2", "3", "4", "5"]);
  });

  it("do not repeat what is already there", () => {
    act(() => toast.error("No"));
    act(() => toast.error("No"));
    expect(shown()).toEqual(["No"]);
  });

  it("wait while the pointer is on them", () => {
    act(() => toast.info("Read me"));
    const region = screen.getByRole("region", { name: /Notifications/ });
    pass(1000);
    fireEvent.pointerMove(screen.getByText("Read me"));
    pass(60_000);
    expect(shown()).toEqual(["Read me"]);
    fireEvent.pointerLeave(region);
    pass(3100);
    expect(shown()).toEqual([]);
  });

  it("are announced, refusals at once", () => {
    act(() => toast.error("Wrong password"));
    pass(100);
    const announcement = document.querySelector('[role="status"][aria-live="assertive"]');
    expect(announcement?.textContent).toContain("Wrong password");
  });

  it("can be dismissed", () => {
    act(() => toast.info("Go away"));
    fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(shown()).toEqual([]);
  });
});
