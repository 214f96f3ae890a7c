import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { PorchLight } from "../api/get-porch-lights";

const { responses, calls } = apiServer();
const UNTIL = "2026-11-25T05:00:00Z";
const OFF = { available: true, until: null };
const THEO: PorchLight = {
  handle: "theo-barnes",
  name: "Theo Barnes",
  photoURL: "",
  services: ["Handyman Services", "Pet Sitting"],
  site: null,
  city: "Denver",
  latitude: 39.74,
  longitude: -104.98,
  until: UNTIL,
};
const CHEF: PorchLight = {
  ...THEO,
  handle: null,
  name: "Chef Guru",
  services: [],
  site: { label: "cooking", character: "Chef Guru" },
};

describe("the switch of the porch light", () => {
  it("turns the light on in the viewer's zone, and off", async () => {
    responses.set("GET /api/porch-light", { body: OFF });
    responses.set("PUT /api/porch-light", { body: { ...OFF, until: UNTIL } });
    responses.set("DELETE /api/porch-light", { body: OFF });
    renderApp("/dashboard", ADA);
    const toggle = await screen.findByRole("switch", { name: "Porch light" });
    expect((toggle as HTMLInputElement).checked).toBe(false);
    await userEvent.click(toggle);
    expect(await screen.findByText(/^On until/)).toBeTruthy();
    const put = calls.find(({ route }) => route === "PUT /api/porch-light");
    expect(put?.body).toEqual({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    await userEvent.click(toggle);
    expect(await screen.findByText(/^Free this evening\?/)).toBeTruthy();
  });

  it("shows the wish at the press", async () => {
    responses.set("GET /api/porch-light", { body: OFF });
    responses.set("PUT /api/porch-light", { body: { ...OFF, until: UNTIL } });
    renderApp("/dashboard", ADA);
    const toggle = await screen.findByRole("switch", { name: "Porch light" });
    fireEvent.click(toggle);
    expect((toggle as HTMLInputElement).checked).toBe(true);
    expect(await screen.findByText(/^On until/)).toBeTruthy();
  });

  it("shows why it stays off", async () => {
    responses.set("GET /api/porch-light", { body: OFF });
    responses.set("PUT /api/porch-light", { status: 500, body: {} });
    renderApp("/dashboard", ADA);
    const toggle = await screen.findByRole("switch", { name: "Porch light" });
    await userEvent.click(toggle);
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect((toggle as HTMLInputElement).checked).toBe(false);
  });

  it("is hidden from users who offer nothing", async () => {
    responses.set("GET /api/porch-light", { body: { available: false, until: null } });
    renderApp("/dashboard", ADA);
    await screen.findByRole("heading", { level: 1 });
    expect(screen.queryByRole("switch")).toBeNull();
  });
});

describe("the home page", () => {
  it("lists who is free, each with one press to ask", async () => {
    responses.set("GET /api/home", { body: { gurus: [], posts: [] } });
    responses.set("GET /api/porch-lights", { body: { lights: [THEO, CHEF] } });
    renderApp("/");
    const list = await screen.findByRole("list", { name: "Free this evening" });
    expect(within(list).getByText("Handyman Services, Pet Sitting")).toBeTruthy();
    expect(within(list).getByRole("link", { name: "Message Theo" })).toBeTruthy();
    const message = within(list).getByRole("link", { name: "Message Chef Guru" });
    expect(message.getAttribute("href")).toContain("cooking.");
    expect(screen.getByRole("link", { name: "2 porch lights are on" })).toBeTruthy();
  });

  it("shows nothing while all lights are off", async () => {
    responses.set("GET /api/home", { body: { gurus: [], posts: [] } });
    responses.set("GET /api/porch-lights", { body: { lights: [] } });
    renderApp("/");
    expect(await screen.findByText("No gurus yet")).toBeTruthy();
    expect(screen.queryByText("Free this evening")).toBeNull();
  });
});
