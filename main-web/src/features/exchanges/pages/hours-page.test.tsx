import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Hours, HoursLine } from "../lib/types";
import { ASKED } from "./exchanges-fixtures";

const { responses } = apiServer();
const HOURS: Hours = {
  hours: { balance: 270, reserved: 60, floor: -600 },
  swaps: [
    { exchangeId: ASKED.id, neighbor: "Alex", minutes: 120 },
    { exchangeId: ASKED.offerId, neighbor: "A neighbor", minutes: -45 },
  ],
  free: { given: 180, received: 0 },
};
const LINE: HoursLine = {
  number: 2,
  at: "2027-01-12T16:00:00Z",
  description: "You learned",
  exchangeId: ASKED.id,
  skill: "Sourdough baking",
  startsAt: "2027-01-09T16:00:00Z",
  neighbor: "Alex",
  minutes: -90,
  balanceAfter: 270,
};

function show(hours: Hours, lines: HoursLine[], nextCursor: string | null = null) {
  responses.set("GET /api/hours", { body: hours });
  responses.set("GET /api/hours/statement", { body: { lines, nextCursor } });
}

describe("the page of hours", () => {
  it("shows the balance, swaps and free help without money", async () => {
    show(HOURS, [LINE]);
    renderApp("/account/hours", ADA);
    expect(await screen.findByText("You have 4 h 30 min. You can go down to -10 h.")).toBeTruthy();
    expect(screen.getByText("1 h of it is reserved for sessions you agreed on.")).toBeTruthy();
    expect(screen.getByText("You gave 3 h for free.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "You gave Alex 2 h more than you got." })).toBeTruthy();
    expect(screen.getByRole("link", { name: "A neighbor gave you 45 min more than they got." })).toBeTruthy();
    expect(document.body.textContent).not.toContain("$");
  });

  it("lists what came in and went out", async () => {
    const donated = { ...LINE, number: 1, exchangeId: null, skill: "", startsAt: null, neighbor: "", minutes: 60 };
    show(HOURS, [LINE, { ...donated, description: "Given to the community" }]);
    renderApp("/account/hours", ADA);
    const rows = within(await screen.findByRole("list", { name: "Statement" })).getAllByRole("listitem");
    expect(rows[0]?.textContent).toContain("You learned (Alex)");
    expect(rows[0]?.textContent).toContain("-1 h 30 min");
    expect(rows[0]?.textContent).toContain("Jan 9, 2027");
    expect(rows[1]?.textContent).toContain("Given to the community");
    expect(rows[1]?.textContent).toContain("+1 h");
  });

  it("loads more lines", async () => {
    show(HOURS, [LINE], "2");
    renderApp("/account/hours", ADA);
    const more = await screen.findByRole("button", { name: "Show more" });
    show(HOURS, [{ ...LINE, number: 1, skill: "Rye" }]);
    await userEvent.click(more);
    expect(await screen.findByRole("link", { name: "Rye" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "Sourdough baking" })).toBeTruthy();
  });

  it("says what to do without hours", async () => {
    show({ hours: { balance: 0, reserved: 0, floor: -180 }, swaps: [], free: { given: 0, received: 0 } }, []);
    renderApp("/account/hours", ADA);
    expect(await screen.findByText("No hours yet")).toBeTruthy();
    expect(screen.getByText("You have 0 min. You can go down to -3 h.")).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Swaps" })).toBeNull();
  });

  it("offers to try again when the balance or the statement fails", async () => {
    responses.set("GET /api/hours", { status: 500 });
    responses.set("GET /api/hours/statement", { status: 500 });
    renderApp("/account/hours", ADA);
    expect(await screen.findByText("We couldn't load your hours")).toBeTruthy();
    expect(await screen.findByText("We couldn't load your statement")).toBeTruthy();
  });
});
