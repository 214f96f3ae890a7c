import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { UploadProgress } from "./upload-progress";

it.each([
  [0, "Uploading a.pdf", 0, "0%"],
  [0.427, "Uploading a.pdf", 42, "42%"],
  [0.999, "Uploading a.pdf", 99, "99%"],
  [1, "Checking a.pdf", 100, "100%"],
])("shows progress %s", (part, name, value, text) => {
  render(<UploadProgress name="a.pdf" part={part} />);
  expect(screen.getByRole<HTMLProgressElement>("progressbar", { name }).value).toBe(value);
  expect(screen.getByText(text)).toBeTruthy();
});
