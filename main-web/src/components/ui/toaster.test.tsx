import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toast } from "@/lib/toast-store";
import { Toaster } from "./toaster";

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toaster />);
});
afterEach(() => vi.useRealTimers());

const advanceTime = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
const visibleToasts = () => Array.from(document.querySelectorAll("ol > li"), (item) => item.textContent);

describe("toasts", () => {
  it("disappear after 4 seconds", () => {
    act(() => toast.success("Saved"));
    expect(visibleToasts()).toEqual(["Saved"]);
    advanceTime(3900);
    expect(visibleToasts()).toEqual(["Saved"]);
    advanceTime(200);
    expect(visibleToasts()).toEqual([]);
  });

  it("drop the oldest when a fifth appears", () => {
    act(() => ["1", "2", "3", "4", "5"].forEach((text) => toast.info(text)));
    expect(visibleToasts()).toEqual(["2", "3", "4", "5"]);
  });

  it("show a repeated message once and restart its time", () => {
    act(() => toast.error("No"));
    advanceTime(3900);
    act(() => toast.error("No"));
    expect(visibleToasts()).toEqual(["No"]);
    advanceTime(3900);
    expect(visibleToasts()).toEqual(["No"]);
    advanceTime(200);
    expect(visibleToasts()).toEqual([]);
  });

  it("stay while hovered", () => {
    act(() => toast.info("Read me"));
    const region = screen.getByRole("region", { name: /Notifications/ });
    advanceTime(1000);
    fireEvent.pointerMove(screen.getByText("Read me"));
    advanceTime(60_000);
    expect(visibleToasts()).toEqual(["Read me"]);
    fireEvent.pointerLeave(region);
    advanceTime(3100);
    expect(visibleToasts()).toEqual([]);
  });

  it("announce errors at once", () => {
    act(() => toast.error("Wrong password"));
    advanceTime(100);
    const announcement = document.querySelector('[role="status"][aria-live="assertive"]');
    expect(announcement?.textContent).toContain("Wrong password");
  });

  it("can be dismissed", () => {
    act(() => toast.info("Go away"));
    fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(visibleToasts()).toEqual([]);
  });
});
