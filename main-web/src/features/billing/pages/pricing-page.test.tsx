import { act, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { planPrice } from "../api/get-plans";
import { useElementDefined } from "../lib/use-element-defined";

const { responses } = apiServer();

const FALLBACK = /checkout isn't available/;

describe("the pricing page", () => {
  it("shows the fallback plans without the server", async () => {
    responses.set("GET /api/plans", { status: 503 });
    renderApp("/pricing");
    const plans = within(await screen.findByRole("region", { name: "Plans" }));
    expect(plans.getAllByRole("heading").map((heading) => heading.textContent)).toEqual([
      "Plans",
      "Community Member",
      "Skill Sharer",
      "Premium Angel",
    ]);
    expect(plans.getByText("Free")).toBeTruthy();
    expect(plans.getByText("$9")).toBeTruthy();
    expect(plans.getByText("$19")).toBeTruthy();
    expect(plans.getAllByText("per month")).toHaveLength(2);
  });

  it("shows the server's plans", async () => {
    const plan = {
      slug: "a",
      name: "Plan A",
      priceCents: 1250,
      yearlyPriceCents: 12500,
      interval: "month",
      features: ["One thing", "Another thing"],
      points: ["5 things"],
      coming: ["Another thing"],
    };
    responses.set("GET /api/plans", { body: { plans: [plan] } });
    renderApp("/pricing");
    expect(await screen.findByRole("heading", { name: "Plan A" })).toBeTruthy();
    expect(screen.getByText("$12.50")).toBeTruthy();
    const points = screen.getAllByRole("listitem").map((item) => item.textContent);
    expect(points.slice(points.indexOf("5 things"))).toContain("One thing");
    expect(points).toContain("Another thing Coming soon");
  });

  it.each([
    ["skill-sharer", "Skill Sharer", ["Get Premium Angel"], "Yours until Jan 1, 2099 without paying."],
    ["premium-angel", "Premium Angel", [], "Part of Premium Angel, which you have."],
  ])("does not sell a granted %s", async (plan, planName, buttons, text) => {
    responses.set("GET /api/config", {
      body: { firebase: null, stripe: null, payments: { available: true }, flags: {} },
    });
    const until = "2099-01-01T12:00:00Z";
    responses.set("GET /api/billing", {
      body: { plan, planName, until, source: "grant", limits: [], subscription: null, change: null, invoices: [] },
    });
    renderApp("/pricing", ADA);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryAllByRole("button", { name: /^Get / }).map((button) => button.textContent)).toEqual(buttons);
    expect(screen.queryByText(FALLBACK)).toBeNull();
  });

  it("marks what is not built, and claims no popularity", async () => {
    responses.set("GET /api/plans", { status: 503 });
    renderApp("/pricing");
    const plans = within(await screen.findByRole("region", { name: "Plans" }));
    expect(plans.getAllByText("Coming soon").map((badge) => badge.parentElement?.textContent)).toEqual([
      "Join discussions Coming soon",
      "Safety resources Coming soon",
      "Payment processing Coming soon",
    ]);
    expect(plans.queryByText("Most popular")).toBeNull();
  });

  it("opens the payment provider's table where the buttons don't sell", async () => {
    const config = { firebase: null, stripe: null, flags: {} };
    responses.set("GET /api/config", { body: { ...config, payments: { available: true } } });
    renderApp("/pricing");
    const checkout = (await screen.findByText("Checkout")).closest("details");
    expect(checkout?.open).toBe(false);
    expect((await screen.findByRole("button", { name: "Get Skill Sharer" })).closest("details")).toBeNull();
  });

  it("opens the table while payments are not set up", async () => {
    const config = { firebase: null, stripe: null, flags: {} };
    responses.set("GET /api/config", { body: { ...config, payments: { available: false } } });
    renderApp("/pricing");
    const checkout = (await screen.findByText("Checkout")).closest("details");
    await waitFor(() => expect(checkout?.open).toBe(true));
  });

  it("shows SPEC's earnings", async () => {
    renderApp("/pricing");
    for (const range of ["$25-50/hr", "$30-60/hr", "$20-40/hr", "$15-25/hr"]) {
      expect(await screen.findByText(range)).toBeTruthy();
    }
  });

  it("shows a text instead of the payment provider's table", async () => {
    responses.set("GET /api/config", { body: { firebase: null, stripe: null, flags: {} } });
    renderApp("/pricing");
    expect(await screen.findByText(FALLBACK)).toBeTruthy();
    expect(document.querySelector("script[src*=stripe]")).toBeNull();
  });
});

describe("polling for the payment provider's element", () => {
  afterEach(() => vi.useRealTimers());

  function Look({ name }: { name: string }) {
    return <p>{useElementDefined(name, true) ? "there" : "not there"}</p>;
  }

  it("polls every 500 ms for up to 10 s", () => {
    vi.useFakeTimers();
    const get = vi.spyOn(customElements, "get");
    render(<Look name="never-defined" />);
    get.mockClear();
    act(() => void vi.advanceTimersByTime(499));
    expect(get).toHaveBeenCalledTimes(0);
    act(() => void vi.advanceTimersByTime(1));
    expect(get).toHaveBeenCalledTimes(1);
    act(() => void vi.advanceTimersByTime(9500));
    expect(get).toHaveBeenCalledTimes(20);
    act(() => void vi.advanceTimersByTime(60_000));
    expect(get).toHaveBeenCalledTimes(20);
    expect(screen.getByText("not there")).toBeTruthy();
  });

  it("shows it once it is defined", () => {
    vi.useFakeTimers();
    render(<Look name="defined-late" />);
    act(() => void vi.advanceTimersByTime(3000));
    customElements.define("defined-late", class extends HTMLElement {});
    expect(screen.getByText("not there")).toBeTruthy();
    act(() => void vi.advanceTimersByTime(500));
    expect(screen.getByText("there")).toBeTruthy();
  });
});

describe("planPrice", () => {
  const plan = {
    slug: "x",
    name: "X",
    yearlyPriceCents: 0,
    interval: "month" as const,
    features: [],
    points: [],
    coming: [],
  };
  it.each([
    [0, "Free"],
    [900, "$9"],
    [1950, "$19.50"],
    [5, "$0.05"],
  ])("formats %i cents as %s", (priceCents, text) => {
    expect(planPrice({ ...plan, priceCents })).toBe(text);
  });
});
