import { act, cleanup, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepTypedText, restoreTypedText } from "./typed-text";

beforeEach(() => sessionStorage.clear());
afterEach(() => sessionStorage.clear());

function Form({ note: start = "" }: { note?: string }) {
  const [note, setNote] = useState(start);
  const [agrees, setAgrees] = useState(start !== "");
  return (
    <form>
      <label>
        Note
        <textarea value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
      <label>
        I agree
        <input type="checkbox" checked={agrees} onChange={(event) => setAgrees(event.target.checked)} />
      </label>
      <label>
        Size
        <select defaultValue={start ? "large" : "small"}>
          <option value="small">Small</option>
          <option value="large">Large</option>
        </select>
      </label>
      <label>
        Password
        <input type="password" defaultValue={start && "secret1"} />
      </label>
      <output>{note}</output>
    </form>
  );
}

const valueOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

function keepFilledForm() {
  render(<Form note="I am new to this." />);
  keepTypedText("/book");
  cleanup();
}

it("gives a page back what was typed, without passwords", async () => {
  keepFilledForm();
  restoreTypedText("/book");
  await act(async () => void render(<Form />)); // its fields appear later
  expect([valueOf("Note"), valueOf("Size"), valueOf("Password")]).toEqual(["I am new to this.", "large", ""]);
  expect(screen.getByRole("checkbox")).toHaveProperty("checked", true);
  expect(screen.getByRole("status").textContent).toBe("I am new to this."); // React knows it too
});

it("gives it back once, and to no other page", async () => {
  for (const path of ["/login", "/book"]) {
    keepFilledForm();
    restoreTypedText(path);
    if (path === "/book") restoreTypedText(path);
    await act(async () => void render(<Form />));
    expect(valueOf("Note")).toBe(path === "/book" ? "I am new to this." : "");
    cleanup();
  }
  render(<Form />);
  restoreTypedText("/book");
  expect(valueOf("Note")).toBe("");
});
