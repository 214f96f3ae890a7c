import { render } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useKeptScroll } from "./use-kept-scroll";

/** As <ScrollRestoration> does. */
function ScrollToTop() {
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  return null;
}

function Page() {
  useKeptScroll();
  return <ScrollToTop />;
}

beforeEach(() => {
  vi.spyOn(window, "scrollTo").mockImplementation((...args: unknown[]) => void vi.stubGlobal("scrollY", args[1]));
});

afterEach(() => vi.unstubAllGlobals());

it.each([0, 400])("keeps the page at %i pixels", (place) => {
  vi.stubGlobal("scrollY", place);
  render(<Page />);
  expect(window.scrollY).toBe(place);
});
