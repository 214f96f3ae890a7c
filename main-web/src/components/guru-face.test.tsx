import { fireEvent, render } from "@testing-library/react";
import { expect, it } from "vitest";
import { GuruFace } from "./guru-face";

const COLORS = { accent: "#ff9d7a", tileStart: "#ff8a5c", tileEnd: "#f3a712", onTile: "#1a0d08" };

it("shows the logo in the guru's colors when there is no photo, or it does not load", () => {
  const { container, rerender } = render(<GuruFace guru={{ photoUrl: null, icon: "book", colors: COLORS }} />);
  const face = container.firstElementChild as HTMLElement;
  expect(face.style.getPropertyValue("--guru-accent")).toBe("#ff9d7a");
  expect(container.querySelector("svg")).toBeTruthy();
  rerender(<GuruFace guru={{ photoUrl: "/api/photos/1.webp", icon: "music", colors: COLORS }} />);
  const photo = container.querySelector("img");
  expect(photo?.getAttribute("src")).toBe("/api/photos/1.webp");
  if (photo) fireEvent.error(photo);
  expect(container.querySelector("img")).toBeNull();
  expect(container.querySelector("svg")).toBeTruthy();
});
