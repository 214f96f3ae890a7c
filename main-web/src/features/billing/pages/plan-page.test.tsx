import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();

const SUBSCRIPTION = {
  plan: "skill-sharer",
  planName: "Skill Sharer",
  interval: "month",
  state: "active",
  periodEnd: "2099-12-04T12:00:00Z",
  cancelAtEnd: false,
  nextPlan: null as string | null,
  nextInterval: null as string | null,
  nextCharge: { cents: 900, at: "2099-12-04T12:00:00Z" } as { cents: number; at: string } | null,
  paymentFailedAt: null as string | null,
  graceUntil: null as string | null,
  card: { brand: "visa", last4: "4242" },
};
const BILLING = {
  plan: "skill-sharer",
  planName: "Skill Sharer",
  until: null as string | null,
  source: "subscription" as string | null,
  limits: [],
  subscription: SUBSCRIPTION as typeof SUBSCRIPTION | null,
  change: null,
  invoices: [] as object[],
  paymentsAvailable: true,
};

function show(change: Partial<typeof BILLING> = {}) {
  responses.set("GET /api/billing", { body: { ...BILLING, ...change } });
  renderApp("/account/plan", ADA);
}

describe("the plan page", () => {
  it("shows that it is loading", async () => {
    const held = heldResponse(BILLING);
    responses.set("GET /api/billing", held.responder);
    renderApp("/account/plan", ADA);
    expect(await screen.findByText("Loading your plan...")).toBeTruthy();
    held.release();
    expect(await screen.findByRole("heading", { name: "Skill Sharer" })).toBeTruthy();
  });

  it("loads again after a failure", async () => {
    responses.set("GET /api/billing", { status: 503 });
    renderApp("/account/plan", ADA);
    expect(await screen.findByText("We couldn't load your plan")).toBeTruthy();
    responses.set("GET /api/billing", { body: BILLING });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { name: "Skill Sharer" })).toBeTruthy();
  });

  it("shows the next charge, the card and that there are no invoices", async () => {
    show();
    expect(await screen.findByText("$9 on Dec 4, 2099")).toBeTruthy();
    expect(screen.getByText(/Visa ending in 4242/)).toBeTruthy();
    expect(screen.getByText("No invoices yet")).toBeTruthy();
  });

  it("shows the first invoice of a new plan when it arrives", async () => {
    show();
    expect(await screen.findByText("No invoices yet")).toBeTruthy();
    const first = { id: "in_1", number: "PL-1", state: "paid", totalCents: 900, issuedAt: "2027-01-13T16:00:00Z" };
    responses.set("GET /api/billing", { body: { ...BILLING, invoices: [first] } });
    expect(await screen.findByText("$9.00", {}, { timeout: 10_000 })).toBeTruthy();
  });

  it("says that Stripe's page didn't open, and stays on the plan", async () => {
    responses.set("POST /api/billing/portal", { status: 503 });
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Update card" }));
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Update card" }).hasAttribute("disabled")).toBe(false);
    expect(screen.getByRole("heading", { name: "Skill Sharer" })).toBeTruthy();
  });

  it("says what a cancellation means, and asks first", async () => {
    show();
    responses.set("GET /api/billing/change", {
      body: {
        kind: "cancel",
        plan: "community",
        interval: "month",
        dueNowCents: null,
        proratedAt: null,
        effectiveAt: "2099-12-04T12:00:00Z",
        nextCharge: null,
        graceUntil: "2099-12-18T12:00:00Z",
      },
    });
    responses.set("POST /api/billing/change", { body: { state: "done", paymentUrl: null } });
    await userEvent.click(await screen.findByRole("button", { name: "Cancel plan" }));
    const dialog = within(await screen.findByRole("alertdialog", { name: "Cancel Skill Sharer?" }));
    expect(
      await dialog.findByText(
        "You keep Skill Sharer until Dec 4, 2099. Your extras keep working until Dec 18, 2099, then become read-only. " +
          "Nothing is deleted.",
      ),
    ).toBeTruthy();
    await userEvent.click(dialog.getByRole("button", { name: "Cancel plan" }));
    await screen.findByText("Your plan is updated.");
    const sent = calls.find(({ route }) => route === "POST /api/billing/change");
    expect(sent?.body).toEqual({ plan: "community", interval: "month", proratedAt: null });
  });

  it("keeps the dialog with the reason when the bank declines", async () => {
    show();
    responses.set("GET /api/billing/change", {
      body: {
        kind: "upgrade",
        plan: "premium-angel",
        interval: "month",
        dueNowCents: 655,
        proratedAt: "2099-11-20T12:00:00Z",
        effectiveAt: null,
        nextCharge: { cents: 1900, at: "2099-12-04T12:00:00Z" },
        graceUntil: null,
      },
    });
    responses.set("POST /api/billing/change", { body: { state: "unpaid", paymentUrl: "https://stripe.example/i/1" } });
    await userEvent.click(await screen.findByRole("button", { name: "Choose Premium Angel, monthly" }));
    expect(await screen.findByText("You pay $6.55 now, and get Premium Angel at once.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Pay and change" }));
    expect(await screen.findByText(/Your bank declined the card/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Pay with another card" }).getAttribute("href")).toBe(
      "https://stripe.example/i/1",
    );
  });

  it("shows why a change is not possible", async () => {
    show();
    responses.set("GET /api/billing/change", {
      status: 503,
      body: { code: "payments_away", message: "Stripe does not answer at the moment. Please try again in a minute." },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Choose Skill Sharer, yearly" }));
    expect(await screen.findByText("Stripe does not answer at the moment. Please try again in a minute.")).toBeTruthy();
  });

  it("warns about a failed payment", async () => {
    show({
      subscription: {
        ...SUBSCRIPTION,
        state: "past_due",
        nextCharge: null,
        paymentFailedAt: "2099-12-04T12:00:00Z",
        graceUntil: "2099-12-18T12:00:00Z",
      },
    });
    expect(
      await screen.findByText(
        "Your last payment didn't go through. Update your card by Dec 18, 2099 to keep your plan.",
      ),
    ).toBeTruthy();
  });

  it("offers to keep a plan that changes", async () => {
    show({
      subscription: {
        ...SUBSCRIPTION,
        plan: "premium-angel",
        planName: "Premium Angel",
        nextPlan: "skill-sharer",
        nextInterval: "month",
        graceUntil: "2099-12-18T12:00:00Z",
      },
    });
    expect(await screen.findByText(/You change to Skill Sharer on\s+Dec 4, 2099\./)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Keep Premium Angel" })).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Change your plan" })).toBeNull();
  });

  it("says so on a site without payments", async () => {
    show({
      plan: "community",
      planName: "Community Member",
      source: null,
      subscription: null,
      paymentsAvailable: false,
    });
    expect(await screen.findByText(/Payments are not set up on this site yet\./)).toBeTruthy();
    expect(screen.queryByRole("link", { name: "See plans" })).toBeNull();
  });
});
