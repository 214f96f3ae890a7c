import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { SHARED_KEY } from "@/testing/admin/staff";
import type { WaiverChainsState } from "../lib/types";

const { responses, calls } = apiServer();
const STATE = "GET /api/admin/waivers/state";
const ACKNOWLEDGMENT = "POST /api/admin/waivers/acknowledgment";
const TEXT = "The waiver texts are templates. Have a lawyer review them before you go live.";
const CHAIN = { chainId: "guru:1", name: "Wood Guru", links: 1200, lastAt: "2026-11-23T15:30:00Z", fault: null };
const VALID: WaiverChainsState = {
  chains: 2,
  links: 1204,
  verifiedLinks: 1204,
  fault: null,
  lastLink: null,
  newestChains: [CHAIN, { ...CHAIN, chainId: "guru:gone", name: "", links: 4 }],
  keys: [{ id: "2026", signs: true }],
  textsAcknowledgedAt: "2026-11-01T15:30:00Z",
  textsAcknowledgedBy: "key-1a2b3c4d",
};

const panel = async () => within(await screen.findByRole("region", { name: "Waiver records" }));
const serve = (changes: Partial<WaiverChainsState> = {}) => responses.set(STATE, { body: { ...VALID, ...changes } });

beforeAll(
  () =>
    Promise.all([
      import("@/features/admin/components/admin-layout"),
      import("@/features/admin/dashboard/pages/dashboard-page"),
      import("@/app/admin-tabs"),
    ]),
  60_000,
);

describe("the waiver records", () => {
  beforeEach(() => {
    responses.set("GET /api/admin/ping", { body: SHARED_KEY });
    responses.set("GET /api/admin/sessions", { body: { items: [], nextCursor: null } });
    serve();
  });

  it("says how many records are verified, and by chain", async () => {
    renderApp("/admin?tab=sessions");
    const records = await panel();
    expect(await records.findByText("All 1,204 records verified, just now.")).toBeTruthy();
    await userEvent.setup().click(records.getByText("2 chains"));
    const chains = within(records.getByRole("list", { name: "Chains" }));
    expect(chains.getAllByText("No problems found")).toHaveLength(2);
    expect(chains.getByText("guru:gone")).toBeTruthy();
    expect(records.getByText("Shared key acknowledged", { exact: false }).textContent).toMatch(/Nov 1, 2026/);
    await userEvent.setup().click(records.getByRole("button", { name: "Verify now" }));
    await waitFor(() => expect(calls.filter(({ route }) => route === STATE)).toHaveLength(2));
  });

  it("names the first broken chain", async () => {
    const broken = { ...CHAIN, fault: "Link 7 has an invalid signature." };
    serve({ newestChains: [broken, CHAIN], fault: "guru:1: Link 7 has an invalid signature." });
    renderApp("/admin?tab=sessions");
    const alert = await (await panel()).findByRole("alert");
    expect(alert.textContent).toMatch(/^Wood Guru: Link 7 has an invalid signature\./);
    expect((await panel()).queryByText(/records verified/)).toBeNull();
  });

  it("says that only a part was verified", async () => {
    serve({ links: 9000, verifiedLinks: 5000 });
    renderApp("/admin?tab=sessions");
    expect(await (await panel()).findByText(/^The first 5,000 of 9,000 records verified, just now/)).toBeTruthy();
  });

  it("asks for the lawyer's review until staff acknowledge it", async () => {
    serve({ textsAcknowledgedAt: null, textsAcknowledgedBy: null });
    responses.set(ACKNOWLEDGMENT, { status: 503 });
    renderApp("/admin?tab=sessions");
    const records = await panel();
    const user = userEvent.setup();
    await records.findByText(TEXT);
    await user.click(records.getByRole("button", { name: "Acknowledge" }));
    expect(await records.findByText(/Server error/)).toBeTruthy();
    expect(records.getByText(TEXT)).toBeTruthy();
    responses.set(ACKNOWLEDGMENT, {});
    serve();
    await user.click(records.getByRole("button", { name: "Acknowledge" }));
    await waitFor(() => expect(records.queryByText(TEXT)).toBeNull());
    expect(records.getByText("Shared key acknowledged", { exact: false })).toBeTruthy();
  });

  it("says so when it cannot be loaded or is empty", async () => {
    responses.set(STATE, { status: 503 });
    renderApp("/admin?tab=sessions");
    const records = await panel();
    expect(await records.findByText("We couldn't verify the waivers")).toBeTruthy();
    serve({ chains: 0, links: 0, verifiedLinks: 0, newestChains: [] });
    await userEvent.setup().click(records.getByRole("button", { name: "Try again" }));
    expect(await records.findByText("No waivers yet.")).toBeTruthy();
  });
});
