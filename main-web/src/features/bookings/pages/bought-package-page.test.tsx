import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { PackagePurchase } from "../lib/package-texts";

const { responses } = apiServer();
const PAGE = "/packages/bought/p1";
const READ = "GET /api/packages/purchases/p1";
const OPEN: PackagePurchase = {
  id: "p1",
  state: "open",
  packageId: "k1",
  guruLabel: "cooking",
  guruName: "Chef Guru",
  serviceId: "s1",
  serviceName: "Knife Skills",
  name: "Four lessons",
  sessions: 4,
  days: 90,
  priceCents: 20_000,
  url: "https://checkout.stripe.example/p1",
  grantId: null,
  lastDay: null,
};
const PAID: PackagePurchase = { ...OPEN, state: "paid", url: "", grantId: "g1", lastDay: "2027-03-01" };
const serve = (changes: Partial<PackagePurchase> = {}) => responses.set(READ, { body: { ...OPEN, ...changes } });

beforeEach(() => {
  responses.set("GET /api/gurus/cooking/home", { body: { guru: { photoUrl: "" } } });
});

it("waits for the payment, then says that the package is theirs", async () => {
  serve();
  renderApp(`${PAGE}?payment=done`, ADA);
  expect(await screen.findByText(/^We're waiting for Stripe to confirm your payment\./)).toBeTruthy();
  expect(screen.queryByRole("link", { name: /^Pay/ })).toBeNull();
  serve(PAID);
  const heading = await screen.findByRole("heading", { level: 1, name: "It's yours" }, { timeout: 10_000 });
  expect(document.activeElement).toBe(heading);
  for (const text of ["4 sessions of Knife Skills", "Until Mar 1, 2027"]) expect(screen.getByText(text)).toBeTruthy();
  const times = `http://cooking.${window.location.host}/services/s1/times`;
  expect(screen.getByRole("link", { name: "Choose a time" }).getAttribute("href")).toBe(times);
  expect(screen.getByRole("link", { name: "your orders" }).getAttribute("href")).toBe("/account/orders");
  expect(screen.getByRole("link", { name: "your sessions" }).getAttribute("href")).toBe("/sessions#packages");
  expect(window.location.search).toBe("");
});

it("offers Stripe's page once it is open", async () => {
  serve({ state: "opening", url: "" });
  renderApp(PAGE, ADA);
  expect(await screen.findByText("Opening Stripe's page…")).toBeTruthy();
  serve();
  const pay = await screen.findByRole("link", { name: "Pay $200.00" }, { timeout: 10_000 });
  expect(pay.getAttribute("href")).toBe("https://checkout.stripe.example/p1");
  expect(screen.getByRole("link", { name: "Back to the package" }).getAttribute("href")).toBe(
    "/packages/buy/cooking/k1",
  );
});

it.each([
  ["expired", "You didn't pay in time. Nothing was charged."],
  ["canceled", "You didn't pay this time. Nothing was charged."],
  ["failed", "We couldn't reach Stripe. Nothing was charged."],
] as const)("says that the package is not bought: %s", async (state, text) => {
  serve({ state, url: "" });
  renderApp(PAGE, ADA);
  expect(await screen.findByRole("heading", { level: 1, name: "Not bought" })).toBeTruthy();
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Try again" }).getAttribute("href")).toBe("/packages/buy/cooking/k1");
});

it("says that the time to pay is over while Stripe's page closes", async () => {
  serve({ url: "" });
  renderApp(PAGE, ADA);
  expect(await screen.findByText(/^The time to pay is over\./)).toBeTruthy();
});

it("waits for the package that was paid", async () => {
  serve({ ...PAID, grantId: null, lastDay: null });
  renderApp(PAGE, ADA);
  expect(await screen.findByText("We got your payment. Your package is on its way.")).toBeTruthy();
});

it("says that there is no such purchase", async () => {
  responses.set(READ, { status: 404 });
  renderApp(PAGE, ADA);
  expect(await screen.findByText("You have no purchase at this address")).toBeTruthy();
});

it("shows that it loads, and loads again after an error", async () => {
  responses.set(READ, { status: 500 });
  renderApp(PAGE, ADA);
  expect(await screen.findByText("We couldn't load your package")).toBeTruthy();
  const held = heldResponse(PAID);
  responses.set(READ, held.responder);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  held.release();
  expect(await screen.findByRole("heading", { level: 1, name: "It's yours" })).toBeTruthy();
});

it("keeps the page for someone who signs in first", async () => {
  serve(PAID);
  const { router } = renderApp(`${PAGE}?payment=done`);
  await screen.findByRole("heading", { level: 1, name: "Welcome back" });
  expect(router.state.location.state).toEqual({ from: `${PAGE}?payment=done` });
});
