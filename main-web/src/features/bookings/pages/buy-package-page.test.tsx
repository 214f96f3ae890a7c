import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { PackagePurchase, SoldPackage } from "../lib/package-texts";

const { responses, calls } = apiServer();
const PAGE = "/packages/buy/cooking/k1";
const HOME = "GET /api/gurus/cooking/home";
const SOLD = "GET /api/gurus/cooking/packages";
const BUY = "POST /api/gurus/cooking/packages/k1/purchases";
const ITEM: SoldPackage = {
  id: "k1",
  serviceId: "s1",
  serviceName: "Knife Skills",
  name: "Four lessons",
  sessions: 4,
  days: 90,
  priceCents: 20_000,
};
const PURCHASE: PackagePurchase = {
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
  url: "#stripe",
  grantId: null,
  lastDay: null,
};
const sell = (...packages: SoldPackage[]) => responses.set(SOLD, { body: { packages } });
const refuse = (status: number, code: string, message: string) =>
  responses.set(BUY, { status, body: { code, message } });
const payButton = (price = "$200.00") =>
  screen.findByRole<HTMLButtonElement>("button", { name: `Continue to payment – ${price}` });
const sent = () => calls.filter(({ route }) => route === BUY);

beforeEach(() => {
  sessionStorage.clear();
  responses.set(HOME, { body: { guru: { subdomain: "cooking", character: "Chef Guru", photoUrl: "" } } });
  responses.set(BUY, { status: 201, body: PURCHASE });
  sell(ITEM);
});
afterEach(() => {
  window.location.hash = "";
});

it("says what people get and what it costs, and goes to Stripe's page", async () => {
  renderApp(PAGE, ADA);
  const pay = await payButton();
  expect(screen.getByRole("heading", { level: 1, name: "Buy Four lessons" })).toBeTruthy();
  for (const text of ["4 sessions of Knife Skills", "Within 90 days of your payment", "$50.00 per session"])
    expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByText(/^Your sessions have to start within 90 days of your payment\./)).toBeTruthy();
  fireEvent.click(pay);
  await waitFor(() => expect(window.location.hash).toBe("#stripe"));
  expect(sent().map(({ body }) => body)).toEqual([{ name: "Ada Lovelace", priceCents: 20_000 }]);
  expect(sent()[0]?.headers["idempotency-key"]).toBeTruthy();
});

it("leads visitors to the login and back", async () => {
  const { router, change } = renderApp(PAGE);
  expect(await screen.findByText("Please sign in to buy a package.")).toBeTruthy();
  change(ADA);
  await payButton();
  expect(router.state.location.pathname).toBe(PAGE);
});

it("shows that it loads", async () => {
  const held = heldResponse({ packages: [ITEM] });
  responses.set(SOLD, held.responder);
  renderApp(PAGE, ADA);
  expect((await screen.findByText("Buy a package")).closest("[aria-busy=true]")).toBeTruthy();
  held.release();
  await payButton();
});

it.each([HOME, SOLD])("says that %s failed, and loads it again", async (route) => {
  const answer = responses.get(route);
  responses.set(route, { status: 500 });
  renderApp(PAGE, ADA);
  expect(await screen.findByText("We couldn't load this package")).toBeTruthy();
  if (answer) responses.set(route, answer);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await payButton();
});

it("leads to the guru's site when the package isn't for sale", async () => {
  sell({ ...ITEM, id: "k2" });
  renderApp(PAGE, ADA);
  const link = await screen.findByRole("link", { name: "See what Chef Guru offers" });
  expect(link.getAttribute("href")).toBe(`http://cooking.${window.location.host}/services`);
  expect(screen.getByRole("heading", { level: 1, name: "Not for sale" })).toBeTruthy();
});

it("leads to other skills when the guru is gone", async () => {
  responses.set(HOME, { status: 404 });
  renderApp(PAGE, ADA);
  expect(await screen.findByRole("link", { name: "Browse skills" })).toBeTruthy();
});

it("keeps the typed name when people come back from Stripe's page", async () => {
  renderApp(PAGE, ADA);
  const user = userEvent.setup();
  await payButton();
  const field = screen.getByLabelText<HTMLInputElement>("Your name");
  expect(field.value).toBe("Ada Lovelace");
  await user.clear(field);
  fireEvent.click(await payButton());
  expect(await screen.findByText("Enter your name")).toBeTruthy();
  expect(document.activeElement).toBe(field);
  await user.type(field, "Ada L.");
  fireEvent.click(await payButton());
  await waitFor(() => expect(sent().map(({ body }) => body)).toEqual([{ name: "Ada L.", priceCents: 20_000 }]));
  cleanup();
  renderApp(PAGE, ADA);
  await payButton();
  expect(screen.getByLabelText<HTMLInputElement>("Your name").value).toBe("Ada L.");
});

it("shows the new price when it changed", async () => {
  renderApp(PAGE, ADA);
  const pay = await payButton();
  sell({ ...ITEM, priceCents: 22_000 });
  refuse(409, "package_price_changed", "This package has changed. Please look at its price again.");
  fireEvent.click(pay);
  expect(await screen.findByText("The price is now $220.00. Nothing was charged.")).toBeTruthy();
  responses.set(BUY, { status: 201, body: PURCHASE });
  fireEvent.click(await payButton("$220.00"));
  await waitFor(() => expect(window.location.hash).toBe("#stripe"));
  expect(sent().at(-1)?.body).toEqual({ name: "Ada Lovelace", priceCents: 22_000 });
});

it.each([
  [409, "own_package", "This is your own package. You can't buy it.", "/guru/services/packages"],
  [409, "too_many_open_packages", "You have 10 packages of this guru with sessions left.", "/sessions#packages"],
  [409, "cards_unavailable", "This guru can't take card payments right now.", null],
  [429, "too_many_checkouts", "You have opened several payment pages in the last hour.", null],
  [503, "payments_unavailable", "Payments are not set up on this site yet.", null],
])("says a refusal in words: %s %s", async (status, code, message, href) => {
  refuse(status, code, message);
  renderApp(PAGE, ADA);
  fireEvent.click(await payButton());
  const notice = await screen.findByRole("alert");
  expect(notice.textContent).toContain(message);
  if (href !== null) expect(screen.getByRole("link", { name: "See your packages" }).getAttribute("href")).toBe(href);
});

it("sends the same key again after an unclear answer", async () => {
  responses.set(BUY, { status: 500 });
  renderApp(PAGE, ADA);
  fireEvent.click(await payButton());
  expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
  responses.set(BUY, { status: 201, body: PURCHASE });
  fireEvent.click(await payButton());
  await waitFor(() => expect(window.location.hash).toBe("#stripe"));
  const [first, second] = sent().map(({ headers }) => headers["idempotency-key"]);
  expect(second).toBe(first);
});

it("asks to verify the email address first", async () => {
  refuse(403, "email_unverified", "Please verify your email.");
  renderApp(PAGE, ADA);
  fireEvent.click(await payButton());
  expect(await screen.findByRole("region", { name: "Verify your email" })).toBeTruthy();
  expect(screen.getByText(/What you typed stays here\.$/)).toBeTruthy();
  expect((await payButton()).disabled).toBe(true);
});

it("waits for Stripe's page on the page of the purchase", async () => {
  const opening = { ...PURCHASE, state: "opening", url: "" };
  responses.set(BUY, { status: 201, body: opening });
  responses.set("GET /api/packages/purchases/p1", { body: opening });
  const { router } = renderApp(PAGE, ADA);
  fireEvent.click(await payButton());
  expect(await screen.findByText("Opening Stripe's page…")).toBeTruthy();
  expect(router.state.location.pathname).toBe("/packages/bought/p1");
});
