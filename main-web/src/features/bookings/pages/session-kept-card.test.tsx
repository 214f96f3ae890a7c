import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf, heldOf, KEPT, PAID, TERMS } from "./session-fixtures";

const { responses } = apiServer();
const serve = (body: object) => responses.set("GET /api/bookings/b1", { body });
const PAY = "/api/bookings/b1/payment";
const LATE = { ...TERMS, owedCents: 3250, lateCents: 3250, missedCents: 6500, freeUntil: null };
const ended = (payment: object, changes: object = {}) =>
  bookingOf({
    status: "canceled",
    endedBy: "person",
    owedCents: 3250,
    payment: { ...KEPT, amountCents: 3250, totalCents: 3250, restCents: 0, chargeCents: 0, ...payment },
    ...changes,
  });
const open = (path = "/sessions/b1") => renderApp(path, ADA);
const region = async (name: string) => within(await screen.findByRole("region", { name }));

afterEach(() => {
  window.location.hash = "";
});

describe("a session whose card is not kept yet", () => {
  const waiting = (payment: object = {}, changes: object = {}) =>
    heldOf({ mode: "hold", amountCents: 6500, totalCents: 6500, restCents: 6500, ...payment }, changes);

  it("asks for the card, and says that nothing is charged", async () => {
    serve(waiting());
    open();
    const card = await region("Your card");
    expect(card.getByText(/You enter your card on Stripe's page\. Nothing is charged now\.$/)).toBeTruthy();
    expect(card.getByRole("link", { name: "Enter your card" }).getAttribute("href")).toBe("https://pay.example/1");
    expect(screen.getByText("Waiting for your card")).toBeTruthy();
  });

  it.each([
    ["system", "Someone else got this time. Nothing was charged, and we don't keep your card."],
    ["person", "You gave this time up. Nothing was charged, and we don't keep your card."],
  ])("lets go of a card that came too late: %s", async (endedBy, words) => {
    serve(waiting({ state: "released", url: "", secondsLeft: 0 }, { status: "expired", endedBy, expiresAt: null }));
    open();
    expect((await region("What happened")).getByText(words)).toBeTruthy();
  });

  it("is booked when the person comes back", async () => {
    serve(bookingOf({ payment: KEPT }));
    open("/sessions/b1?payment=done");
    expect(await screen.findByText("You're booked! Your card is kept, and nothing was charged.")).toBeTruthy();
  });
});

describe("a session whose card is kept", () => {
  it("says what it costs and to the cent what canceling charges", async () => {
    serve(bookingOf({ payment: KEPT, terms: LATE }));
    open();
    expect(await screen.findByText("$65.00, pay at the session. Your Visa ending in 4242 is kept.")).toBeTruthy();
    expect(screen.getByText("If you cancel now, your card is charged $32.50.")).toBeTruthy();
    expect(screen.getByText("If you don't come, your card is charged $65.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Cancel session" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/Your card will be charged \$32\.50\.$/)).toBeTruthy();
  });

  it("says that canceling is free until the deadline", async () => {
    serve(bookingOf({ payment: { ...KEPT, chargeCents: 0 }, terms: { ...TERMS, lateCents: 3250 } }));
    open();
    expect(await screen.findByText(/^Cancel free until .* After that, your card is charged \$32\.50\.$/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Cancel session" }));
    expect(within(await screen.findByRole("alertdialog")).getByText(/Canceling is free until/)).toBeTruthy();
  });
});

describe("a session that was canceled late", () => {
  it("shows that the card is being charged", async () => {
    serve(ended({ state: "charging" }));
    open();
    const words = "We're charging $32.50 to your Visa ending in 4242, by the terms of your booking.";
    expect((await region("Your card")).getByText(words)).toBeTruthy();
  });

  it("shows what was charged", async () => {
    serve(ended({ state: "paid" }));
    open();
    const words = "$32.50 was charged to your Visa ending in 4242 by the terms of your booking.";
    expect((await region("What happened")).getByText(words)).toBeTruthy();
    expect(screen.getByText("Charged $32.50 to Visa ending in 4242")).toBeTruthy();
    expect(screen.queryByText(/You owe/)).toBeNull();
  });

  it("asks to pay what the bank did not, on Stripe's page", async () => {
    serve(ended({ state: "unpaid" }));
    responses.set(`POST ${PAY}`, { status: 503, body: { code: "payments_away", message: "Try again in a minute." } });
    open();
    const card = await region("Not paid yet");
    expect(card.getByText(/^By the terms of your booking, you owe \$32\.50\./)).toBeTruthy();
    expect(screen.getAllByText("Not paid yet")).toHaveLength(2); // with the badge
    const user = userEvent.setup();
    await user.click(card.getByRole("button", { name: "Pay $32.50" }));
    expect(await card.findByRole("alert")).toBeTruthy();
    const page = ended({ state: "open", url: "#stripe" });
    responses.set(`POST ${PAY}`, () => {
      serve(page);
      return { body: page };
    });
    await user.click(card.getByRole("button", { name: "Pay $32.50" }));
    expect(await card.findByRole("link", { name: "Pay $32.50" })).toBeTruthy();
    await waitFor(() => expect(window.location.hash).toBe("#stripe"));
  });

  it("waits for the payment after Stripe's page", async () => {
    serve(ended({ state: "open", url: "https://pay.example/1" }));
    open("/sessions/b1?payment=done");
    expect(await screen.findByText(/^We're waiting for Stripe to confirm your payment\./)).toBeTruthy();
    serve(ended({ state: "paid" }));
    expect(await screen.findByText("We got your payment of $32.50.", undefined, { timeout: 10_000 })).toBeTruthy();
  });

  it.each([
    [0, "You owe nothing. Your card isn't charged, and we don't keep it."],
    [20, "You owe $0.20, which is too little to charge to a card."],
  ])("lets go of the card: %i cents", async (owedCents, words) => {
    serve(ended({ state: "released", card: "" }, { owedCents }));
    open();
    expect((await region("What happened")).getByText(words)).toBeTruthy();
  });
});

describe("a session with a deposit", () => {
  const DEPOSIT = { ...PAID, mode: "deposit", amountCents: 1950, totalCents: 1950, restCents: 4550, refundCents: 0 };

  it("says what was paid and what is left to pay", async () => {
    serve(bookingOf({ payment: DEPOSIT, terms: LATE }));
    open();
    const words = "Paid a deposit of $19.50 with Visa ending in 4242, $45.50 at the session";
    expect(await screen.findByText(words)).toBeTruthy();
    const rest = /^If you cancel now: you get nothing back\. .*You owe \$13\.00 more, which you settle with/;
    expect((await region("Changes and cancellation")).getByText(rest)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Cancel session" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(
      dialog.getByText(/You get nothing back\. \$19\.50 stays with .* You owe \$13\.00 more, which you settle with/),
    ).toBeTruthy();
  });

  it("says afterwards what stays and what is not collected", async () => {
    serve(bookingOf({ status: "canceled", endedBy: "person", owedCents: 3250, payment: { ...DEPOSIT, restCents: 0 } }));
    open();
    expect(
      (await region("What happened")).getByText(/^\$19\.50 stays with .*\. You owe \$13\.00 more, which you settle/),
    ).toBeTruthy();
  });
});
