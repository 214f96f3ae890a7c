import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp, SIGNED_OUT } from "@/testing/render-app";
import type { Waiver } from "../api/get-waivers";

const { responses, calls } = apiServer();
const LIST = "GET /api/liability/waivers";
const WITHDRAWAL = "POST /api/liability/waivers/w1/withdrawal";
const WAIVER: Waiver = {
  waiverId: "w1",
  acceptedAt: "2026-11-23T15:30:00Z",
  expiresAt: "2026-12-23T15:30:00Z",
  exchangeId: "woodwork/s1",
  exchangeTitle: "Table saw basics",
  isSample: false,
  guruName: "Wood Guru",
  level: "high",
  textVersion: 1,
  signed: true,
  endedAt: null,
  state: "valid",
  openSessions: 2,
};
const SESSION = {
  bookingId: "b1",
  serviceName: "Table saw basics",
  guruName: "Wood Guru",
  startsAt: "2099-12-01T16:00:00Z",
  endsAt: "2099-12-01T17:00:00Z",
  zone: "America/Denver",
};

function serve(waivers: Waiver[], more: object = {}) {
  responses.set(LIST, { body: { waivers, dueSessions: [], contactViews: [], ...more } });
}
const card = async (name: string) => {
  const heading = await screen.findByRole("heading", { level: 2, name });
  const item = heading.closest("li");
  if (!item) throw new Error("no card");
  return within(item);
};

beforeEach(() => serve([WAIVER]));

describe("the waivers page", () => {
  it("shows level, guru, times and state of each waiver", async () => {
    const ended = { state: "withdrawn", endedAt: "2026-11-24T15:30:00Z", openSessions: 0 } as const;
    serve([
      WAIVER,
      { ...WAIVER, waiverId: "w2", exchangeTitle: "Climbing", state: "expired", openSessions: 0 },
      { ...WAIVER, waiverId: "w3", exchangeTitle: "Judo", ...ended },
      { ...WAIVER, waiverId: "w4", exchangeTitle: "Chess", ...ended, state: "outdated", signed: false },
      { ...WAIVER, waiverId: "w5", exchangeTitle: "Sample", isSample: true, guruName: null },
    ]);
    renderApp("/waivers", ADA);
    const valid = await card("Table saw basics");
    expect(valid.getByText("Valid")).toBeTruthy();
    expect(valid.getByText("High Risk")).toBeTruthy();
    expect(valid.getByText("with Wood Guru")).toBeTruthy();
    expect(
      valid.getByText(/^Signed Nov 23, 2026, .*Valid until Dec 23, 2026, .*Covers 2 upcoming sessions$/),
    ).toBeTruthy();
    expect((await card("Climbing")).getByText(/Expired on Dec 23, 2026/)).toBeTruthy();
    expect((await card("Judo")).getByText(/You withdrew it on Nov 24, 2026/)).toBeTruthy();
    const outdated = await card("Chess");
    expect(outdated.getByText("Needs a new one")).toBeTruthy();
    expect(outdated.getByText(/^Accepted Nov 23, 2026/)).toBeTruthy();
    expect((await card("Sample")).getByText("Practice")).toBeTruthy();
    expect(screen.getAllByRole("button", { name: /^Withdraw waiver/ })).toHaveLength(2);
    expect(screen.getAllByRole("button", { name: /^Download receipt/ })).toHaveLength(5);
    expect(screen.getByRole("link", { name: "our public keys" }).getAttribute("href")).toBe(
      "/.well-known/porchlight-waiver-keys.json",
    );
  });

  it("says what a withdrawal does before it withdraws", async () => {
    renderApp("/waivers", ADA);
    const user = userEvent.setup();
    const held = heldResponse({ ...WAIVER, state: "withdrawn" });
    responses.set(WITHDRAWAL, held.responder);
    await user.click(await screen.findByRole("button", { name: "Withdraw waiver: Table saw basics" }));
    const dialog = within(
      await screen.findByRole("alertdialog", { name: "Withdraw your waiver for Table saw basics?" }),
    );
    expect(dialog.getByText(/You have 2 upcoming sessions with this waiver\. They stay booked, but/)).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Keep waiver");
    await user.click(dialog.getByRole("button", { name: "Withdraw waiver" }));
    serve([{ ...WAIVER, state: "withdrawn", endedAt: "2026-11-24T15:30:00Z", openSessions: 0 }], {
      dueSessions: [SESSION],
    });
    held.release();
    expect(await screen.findByText("Your waiver is withdrawn.")).toBeTruthy();
    expect(await screen.findByText("1 session needs a waiver.")).toBeTruthy();
    const link = screen.getByRole("link", { name: "Table saw basics with Wood Guru" });
    expect(link.getAttribute("href")).toBe("/sessions/b1");
    expect(screen.queryByRole("button", { name: /^Withdraw waiver/ })).toBeNull();
  });

  it("keeps the waiver when the withdrawal fails", async () => {
    responses.set(WITHDRAWAL, { status: 503 });
    renderApp("/waivers", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Withdraw waiver: Table saw basics" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    await user.click(dialog.getByRole("button", { name: "Withdraw waiver" }));
    expect((await dialog.findByRole("alert")).textContent).toMatch(/Server error/);
    await user.click(dialog.getByRole("button", { name: "Keep waiver" }));
    expect((await card("Table saw basics")).getByText("Valid")).toBeTruthy();
  });

  it("says when a receipt cannot be downloaded", async () => {
    const message = "We can't find that.";
    responses.set("GET /api/liability/waivers/w1/receipt", { status: 404, body: { code: "not_found", message } });
    renderApp("/waivers", ADA);
    await userEvent.setup().click(await screen.findByRole("button", { name: "Download receipt: Table saw basics" }));
    expect(await screen.findByText(message)).toBeTruthy();
  });

  it("shows who looked at the emergency contact", async () => {
    const views = [{ serviceName: "Table saw basics", guruName: "Wood Guru", at: "2026-11-30T15:30:00Z" }];
    serve([WAIVER], { contactViews: views });
    renderApp("/waivers", ADA);
    await screen.findByRole("heading", { name: "Who viewed your emergency contact" });
    expect(screen.getByText(/^Wood Guru, for Table saw basics: Nov 30, 2026/)).toBeTruthy();
  });

  it("says when a list leaves some out, and where they are", async () => {
    const views = [{ serviceName: "Table saw basics", guruName: "Wood Guru", at: "2026-11-30T15:30:00Z" }];
    const more = { moreWaivers: true, moreDueSessions: true, moreContactViews: true };
    serve([WAIVER], { dueSessions: [SESSION, { ...SESSION, bookingId: "b2" }], contactViews: views, ...more });
    renderApp("/waivers", ADA);
    expect(await screen.findByText("More than 2 sessions need a waiver.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "See all your sessions" }).getAttribute("href")).toBe("/sessions");
    expect(screen.getAllByText(/^Showing the newest 1\./)).toHaveLength(2);
    expect(screen.getAllByRole("link", { name: "download your data" })).toHaveLength(2);
  });

  it("says how to get a first waiver, and retries after an error", async () => {
    responses.set(LIST, { status: 503 });
    renderApp("/waivers", ADA);
    expect(await screen.findByText("We couldn't load your waivers")).toBeTruthy();
    serve([]);
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("No waivers yet.")).toBeTruthy();
    expect(screen.queryByText("How someone else can check a receipt")).toBeNull();
  });

  it("asks visitors to sign in", async () => {
    const { router } = renderApp("/waivers", SIGNED_OUT);
    await screen.findByRole("heading", { level: 1 });
    expect(router.state.location.pathname).toBe("/login");
    expect(calls.some(({ route }) => route === LIST)).toBe(false);
  });
});
