import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { requirementLabel } from "../lib/requirement-labels";
import type { Connection } from "../lib/types";

const { responses, calls } = apiServer();

const EMPTY_CONNECTION: Connection = {
  connected: false,
  charges_enabled: false,
  payouts_enabled: false,
  details_submitted: false,
  currently_due: [],
};
const WHOLE: Connection = {
  ...EMPTY_CONNECTION,
  connected: true,
  charges_enabled: true,
  payouts_enabled: true,
  details_submitted: true,
};

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function stands(connection: Connection) {
  responses.set("GET /api/connect/status", { body: connection });
}

describe("the payout step", () => {
  it.each([
    EMPTY_CONNECTION,
    { ...WHOLE, connected: false },
    { ...WHOLE, charges_enabled: false },
    { ...WHOLE, payouts_enabled: false },
    { ...WHOLE, details_submitted: false },
  ])("continues only if everything is true: %o", async (connection) => {
    stands(connection);
    renderApp("/onboarding/payout", ADA);
    await screen.findByRole("heading", { name: "Stripe" });
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Continue to Review" }).disabled).toBe(true);
  });

  it("links to the review", async () => {
    stands(WHOLE);
    renderApp("/onboarding/payout", ADA);
    const onward = await screen.findByRole("link", { name: "Continue to Review" });
    expect(onward.getAttribute("href")).toBe("/onboarding/review");
    expect(screen.queryByRole("button", { name: /with Stripe/ })).toBeNull();
  });

  it("lists each missing requirement once", async () => {
    stands({
      ...EMPTY_CONNECTION,
      connected: true,
      currently_due: ["external_account", "individual.dob.day", "individual.dob.year"],
    });
    renderApp("/onboarding/payout", ADA);
    expect(await screen.findByText("A bank account for payouts")).toBeTruthy();
    expect(screen.getAllByText("Your date of birth")).toHaveLength(1);
    expect(screen.getByRole("button", { name: "Continue with Stripe" })).toBeTruthy();
  });

  it("polls until Stripe has what was missing", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    stands({ ...EMPTY_CONNECTION, connected: true, currently_due: ["external_account"] });
    renderApp("/onboarding/payout", ADA);
    await screen.findByText("A bank account for payouts");
    stands(WHOLE);
    await act(() => vi.advanceTimersByTimeAsync(4000));
    expect(await screen.findByRole("link", { name: "Continue to Review" })).toBeTruthy();
  });

  it("requests one new link after Stripe redirects back", async () => {
    stands(EMPTY_CONNECTION);
    responses.set("POST /api/connect/start", {
      status: 503,
      body: { code: "payments_unavailable", message: "ignored" },
    });
    const { router } = renderApp("/onboarding/payout?again=1", ADA);
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(router.state.location.search).toBe("");
    expect(calls.filter(({ route }) => route === "POST /api/connect/start")).toHaveLength(1);
  });
});

describe("the payouts page", () => {
  it("shows a load error (SPEC 8.7)", async () => {
    responses.set("GET /api/connect/status", { status: 500, body: {} });
    renderApp("/account/payouts", ADA);
    expect(
      await screen.findByText("Could not load your Stripe connection status. Please check your network and try again."),
    ).toBeTruthy();
  });

  it.each([
    ["fails", { status: 500, body: {} }],
    ["answers without an address", { body: {} }],
  ])("shows an error and closes the tab if the dashboard %s (SPEC 8.7)", async (_how, response) => {
    stands(WHOLE);
    responses.set("POST /api/connect/express-login", response);
    const tab = { close: vi.fn(), opener: window, location: { replace: vi.fn() } };
    vi.spyOn(window, "open").mockReturnValue(tab as unknown as Window);
    renderApp("/account/payouts", ADA);
    await userEvent.setup().click(await screen.findByRole("button", { name: /^Open Stripe dashboard/ }));
    expect(await screen.findByText("Could not open the Stripe dashboard. Please try again.")).toBeTruthy();
    expect(tab.close).toHaveBeenCalledOnce();
  });

  it("opens the dashboard in a tab without opener", async () => {
    stands(WHOLE);
    responses.set("POST /api/connect/express-login", { body: { url: "https://stripe.example/express" } });
    const tab = { close: vi.fn(), opener: window as Window | null, location: { replace: vi.fn() } };
    vi.spyOn(window, "open").mockReturnValue(tab as unknown as Window);
    renderApp("/account/payouts", ADA);
    await userEvent.setup().click(await screen.findByRole("button", { name: /^Open Stripe dashboard/ }));
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith("https://stripe.example/express"));
    expect(tab.opener).toBeNull();
  });
});

it("formats unknown requirements", () => {
  expect(requirementLabel(["settings.card_payments", "person_1.first_name", "individual.unknown"])).toEqual([
    "Your personal details",
    "Settings: card payments",
    "Person 1: first name",
  ]);
});
