import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { SITE_LIVE_STATE } from "@/lib/site-live";
import type { MyGuru } from "../lib/types";

const { responses, calls } = apiServer();

const GURU: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 0,
  suspension: null,
};
const JUST_PUBLISHED = { pathname: "/dashboard", state: SITE_LIVE_STATE };

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/qr-code", { body: { address: GURU.address, size: 21, path: "M0 0h7v1h-7z" } });
});

afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, "share");
});

const dialog = async () => within(await screen.findByRole("dialog", { name: "Your site is live" }));

describe("sharing a site", () => {
  it("opens by itself right after publishing, and only once", async () => {
    const { router } = renderApp(JUST_PUBLISHED, ADA);
    const user = userEvent.setup();
    const live = await dialog();
    expect(live.getByRole("link", { name: /^Open site/ }).getAttribute("href")).toBe(GURU.address);
    expect(await live.findByRole("img", { name: "QR code for ada.porchlight.test" })).toBeTruthy();
    await user.click(live.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(router.state.location.state).toBeNull();
    await user.click(screen.getByRole("button", { name: "Share" }));
    await dialog();
  });

  it("stays closed on another visit", async () => {
    renderApp("/dashboard", ADA);
    expect(await screen.findByRole("button", { name: "Share" })).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is not offered for a site that is offline", async () => {
    responses.set("GET /api/guru", { body: { guru: { ...GURU, status: "unpublished" } } });
    renderApp(JUST_PUBLISHED, ADA);
    expect(await screen.findByRole("link", { name: "Manage site" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Share" })).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("copies the link, or selects it", async () => {
    renderApp(JUST_PUBLISHED, ADA);
    const user = userEvent.setup();
    const live = await dialog();
    const write = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(live.getByRole("button", { name: "Copy link" }));
    expect(write).toHaveBeenCalledWith(GURU.address);
    expect(await screen.findByText("Link copied.")).toBeTruthy();
    write.mockRejectedValue(new Error("denied"));
    await user.click(live.getByRole("button", { name: "Copy link" }));
    expect(await screen.findByText(/^We couldn't copy the link\./)).toBeTruthy();
    const address = live.getByLabelText<HTMLInputElement>("Site address");
    expect(address.value.slice(address.selectionStart ?? 0, address.selectionEnd ?? 0)).toBe(GURU.address);
  });

  it("uses the share menu of devices that have one", async () => {
    const share = vi.fn().mockRejectedValue(new DOMException("closed", "AbortError"));
    Object.defineProperty(navigator, "share", { value: share, configurable: true });
    renderApp(JUST_PUBLISHED, ADA);
    const live = await dialog();
    await userEvent.setup().click(live.getByRole("button", { name: "Share" }));
    expect(share).toHaveBeenCalledWith({ title: "ada.porchlight.test", url: GURU.address });
    expect(live.queryByText(/^We couldn't/)).toBeNull();
  });

  it("says when the QR code or the flyer fails, and tries again", async () => {
    responses.set("GET /api/guru/qr-code", { status: 503 });
    responses.set("GET /api/guru/flyer", { status: 500 });
    renderApp(JUST_PUBLISHED, ADA);
    const user = userEvent.setup();
    const live = await dialog();
    expect(await live.findByText("We couldn't load the QR code.")).toBeTruthy();
    responses.set("GET /api/guru/qr-code", { body: { address: GURU.address, size: 21, path: "M0 0h7v1h-7z" } });
    await user.click(live.getByRole("button", { name: "Try again" }));
    expect(await live.findByRole("img", { name: /^QR code/ })).toBeTruthy();
    await user.selectOptions(live.getByLabelText("Flyer size"), "A5");
    await user.click(live.getByRole("button", { name: "Download flyer" }));
    expect(await live.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(calls.map(({ route }) => route)).toContain("GET /api/guru/flyer?paper=a5");
  });
});
