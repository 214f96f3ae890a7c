import { hydrateRoot } from "react-dom/client";
import { act } from "@testing-library/react";
import { expect, it, onTestFinished } from "vitest";
import { FIRST, useFirstTexts, type FirstTexts } from "./first-texts";

const seen: (FirstTexts | null)[] = [];

function Page() {
  const texts = useFirstTexts();
  seen.push(texts);
  return <h1 {...FIRST.heading}>{texts?.heading ?? "Listing"}</h1>;
}

it("reads the texts of the page that the app takes over", () => {
  const root = document.createElement("div");
  root.innerHTML = '<h1 data-first="heading">Rye &amp; sourdough</h1>';
  document.body.append(root);
  const heading = root.firstElementChild;
  act(() => {
    const app = hydrateRoot(root, <Page />);
    onTestFinished(() => {
      act(() => app.unmount());
      root.remove();
    });
  });
  expect(new Set(seen.map((texts) => texts?.heading))).toEqual(new Set(["Rye & sourdough"]));
  expect(seen[0]?.picture).toBeNull();
  expect(root.firstElementChild).toBe(heading);
  expect(root.textContent).toBe("Rye & sourdough");
});
