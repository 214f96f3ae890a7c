import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { Tabs } from "./tabs";

function Three() {
  const [value, setValue] = useState("one");
  return (
    <Tabs
      label="Numbers"
      value={value}
      onValueChange={setValue}
      tabs={["one", "two", "three"].map((name) => ({ value: name, label: name, content: `All of ${name}` }))}
    />
  );
}

const selectedTab = () => screen.getByRole("tab", { selected: true });

it("has one tab stop; arrow keys, Home and End select", async () => {
  render(<Three />);
  const user = userEvent.setup();
  await user.tab();
  expect(document.activeElement).toBe(selectedTab());
  for (const [key, name] of [
    ["{ArrowRight}", "two"],
    ["{End}", "three"],
    ["{ArrowRight}", "one"],
    ["{ArrowLeft}", "three"],
    ["{Home}", "one"],
    ["{Control>}{ArrowRight}{/Control}", "one"],
  ] as const) {
    await user.keyboard(key);
    expect(selectedTab().textContent).toBe(name);
    expect(document.activeElement).toBe(selectedTab());
  }
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("tabpanel", { name: "one" }));
});

it("shows only the selected tab's panel, and links both", async () => {
  render(<Three />);
  await userEvent.setup().click(screen.getByRole("tab", { name: "two" }));
  const panel = screen.getByRole("tabpanel");
  expect(panel.textContent).toBe("All of two");
  expect(panel.getAttribute("aria-labelledby")).toBe(selectedTab().id);
  expect(selectedTab().getAttribute("aria-controls")).toBe(panel.id);
  expect(screen.queryByText("All of one")).toBeNull();
});
