import { screen } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

// The menu's script arrives when the test says so.
const script = vi.hoisted(() => {
  const events = new EventTarget();
  const arrival = new Promise((done) => events.addEventListener("arrived", done));
  return { arrival, deliver: () => events.dispatchEvent(new Event("arrived")) };
});
vi.mock("./user-menu", async (importOriginal) => {
  await script.arrival;
  return importOriginal();
});

const { responses, calls } = apiServer();

// Import before the test's timeout starts.
beforeAll(() => import("@/features/console/components/console-layout"), 60_000);

it("doesn't repeat a read that has failed when its script arrives late", async () => {
  responses.set("GET /api/guru", { status: 500, body: { code: "internal", message: "No." } });
  renderApp("/guru", ADA);
  await screen.findByText("We couldn't load your site");

  script.deliver();

  await screen.findByRole("button", { name: "Account menu for Ada Lovelace" });
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  expect(calls.filter((call) => call.route === "GET /api/guru")).toHaveLength(1);
});
