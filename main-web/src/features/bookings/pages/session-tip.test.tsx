import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Tips } from "../lib/types";
import { bookingOf, later } from "./session-fixtures";

const { responses, calls } = apiServer();
const TIPS = "/api/bookings/b1/tips";
const OPEN: Tips = {
  state: "open",
  until: later(700),
  minimumCents: 100,
  maximumCents: 50_000,
  suggestions: [
    { percent: 10, amountCents: 750 },
    { percent: 15, amountCents: 1125 },
    { percent: 20, amountCents: 1500 },
  ],
  tips: [],
};
const tipOf = (state: Tips["tips"][number]["state"], amountCents = 1125) => ({
  id: "t1",
  state,
  amountCents,
  url: "",
  paidAt: state === "paid" ? later(-1) : null,
});
const over = bookingOf({ status: "completed", startsAt: later(-3), endsAt: later(-2), terms: null });

function serve(tips: Partial<Tips> = {}, booking: object = over) {
  responses.set("GET /api/bookings/b1", { body: booking });
  responses.set(`GET ${TIPS}`, { body: { ...OPEN, ...tips } });
}
const card = async () => within(await screen.findByRole("region", { name: "Tip Chef Guru" }));
const posts = () => calls.filter(({ route }) => route === `POST ${TIPS}`).map(({ body }) => body);

afterEach(() => {
  window.location.hash = "";
});

describe("a tip after a session", () => {
  it("is chosen by a share of the price or typed, and paid on Stripe's page", async () => {
    serve();
    responses.set(`POST ${TIPS}`, { body: { ...tipOf("open"), url: "#stripe" } });
    renderApp("/sessions/b1", ADA);
    const user = userEvent.setup();
    const tip = await card();
    await user.click(tip.getByRole("button", { name: "15% ($11.25)" }));
    expect(tip.getByRole("button", { name: "15% ($11.25)" }).getAttribute("aria-pressed")).toBe("true");
    await user.click(tip.getByRole("button", { name: "Tip $11.25" }));
    await waitFor(() => expect(window.location.hash).toBe("#stripe"));
    expect(posts()).toEqual([{ amountCents: 1125 }]);
  });

  it("keeps what was typed and says what is wrong with it", async () => {
    serve();
    renderApp("/sessions/b1", ADA);
    const user = userEvent.setup();
    const tip = await card();
    const field = tip.getByLabelText("Amount ($)");
    await user.type(field, "600");
    await user.click(tip.getByRole("button", { name: "Tip" }));
    expect(tip.getByText("Tip between $1.00 and $500.00")).toBeTruthy();
    expect(document.activeElement).toBe(field);
    await user.clear(field);
    await user.type(field, "ten");
    await user.click(tip.getByRole("button", { name: "Tip" }));
    expect(tip.getByText("Enter an amount in dollars, such as 12 or 12.50")).toBeTruthy();
    await user.clear(field);
    await user.type(field, "12");
    responses.set(`POST ${TIPS}`, { status: 500 });
    await user.click(tip.getByRole("button", { name: "Tip $12.00" }));
    expect(await tip.findByText("Server error. Please try again later.")).toBeTruthy();
    expect((field as HTMLInputElement).value).toBe("12");
  });

  it("says that nothing was charged if Stripe's page can't be opened", async () => {
    serve();
    responses.set(`POST ${TIPS}`, { body: tipOf("failed") });
    renderApp("/sessions/b1", ADA);
    const user = userEvent.setup();
    const tip = await card();
    await user.type(tip.getByLabelText("Amount ($)"), "5");
    await user.click(tip.getByRole("button", { name: "Tip $5.00" }));
    expect(await tip.findByText(/^We couldn’t reach Stripe\. Nothing was charged\./)).toBeTruthy();
  });

  it("is thanked for after the return from Stripe's page", async () => {
    serve({ tips: [tipOf("open")] });
    renderApp("/sessions/b1?tip=done", ADA);
    const tip = await card();
    expect(tip.getByText(/^We’re waiting for Stripe to confirm your tip\./)).toBeTruthy();
    expect(tip.queryByRole("button", { name: "Tip" })).toBeNull();
    serve({ tips: [tipOf("paid")] });
    expect(await tip.findByText("Thank you! You tipped $11.25.", {}, { timeout: 10_000 })).toBeTruthy();
    expect(window.location.search).toBe("");
  });

  it.each([
    ["ahead", {}, bookingOf()],
    ["missed", {}, { ...over, status: "missed" }],
    ["of a guru without cards", { state: "unavailable" as const }, over],
    ["long ago", { state: "closed" as const }, over],
  ])("is not offered for a session %s", async (_, tips, booking) => {
    serve(tips, booking);
    renderApp("/sessions/b1", ADA);
    await screen.findByRole("heading", { name: "Knife skills", level: 1 });
    await screen.findByRole("region", { name: "Details" });
    expect(screen.queryByRole("region", { name: "Tip Chef Guru" })).toBeNull();
    expect(posts()).toEqual([]);
  });

  it("shows what was given when no further one is possible", async () => {
    serve({ state: "full", tips: [tipOf("paid", 500), tipOf("paid", 700)] });
    renderApp("/sessions/b1", ADA);
    const tip = await card();
    expect(tip.getByText("You tipped $12.00.")).toBeTruthy();
    expect(tip.queryByRole("button")).toBeNull();
  });
});
