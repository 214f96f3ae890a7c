import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { useStableWhileFocused } from "./use-stable-while-focused";

function NameField({ proposal }: { proposal: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  const { shown, handlers, release } = useStableWhileFocused(proposal);
  return (
    <>
      <input value={typed ?? shown} onChange={(event) => setTyped(event.target.value)} {...handlers} />
      <button onClick={release}>Release</button>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>("textbox");

it("keeps a late default out of a field with the focus", () => {
  const { rerender } = render(<NameField proposal="" />);
  fireEvent.focus(field());
  rerender(<NameField proposal="nora" />);
  expect(field().value).toBe("");
  fireEvent.change(field(), { target: { value: "bread" } });
  fireEvent.blur(field());
  expect(field().value).toBe("bread");
});

it("shows the late default after the focus or a release", () => {
  const { rerender } = render(<NameField proposal="" />);
  fireEvent.focus(field());
  rerender(<NameField proposal="nora" />);
  fireEvent.blur(field());
  expect(field().value).toBe("nora");
  fireEvent.focus(field());
  rerender(<NameField proposal="nora-2" />);
  expect(field().value).toBe("nora");
  fireEvent.click(screen.getByRole("button", { name: "Release" }));
  expect(field().value).toBe("nora-2");
});
