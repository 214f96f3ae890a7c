import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ADA, renderApp } from "@/testing/render-app";
import { READY } from "../onboarding-fixtures";
import { onboardingServer } from "../onboarding-server";

const { responses } = onboardingServer();

describe("the checklist", () => {
  it("shows the open steps and links to them", async () => {
    renderApp("/onboarding", ADA);
    expect(await screen.findByRole("heading", { name: "Become a Guru", level: 1 })).toBeTruthy();
    for (const name of ["Profile", "Categories", "Requirements", "Payout"]) {
      expect((await screen.findByRole("link", { name: `Complete ${name}` })).getAttribute("href")).toBe(
        `/onboarding/${name.toLowerCase()}`,
      );
    }
    expect(screen.getByText("Complete previous steps")).toBeTruthy();
    expect(screen.getByText("Background checks are coming soon.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Review & publish" })).toBeNull();
  });

  it("links to the review once everything is done", async () => {
    responses.set("GET /api/onboarding/status", { body: READY });
    renderApp("/onboarding", ADA);
    expect(await screen.findByRole("link", { name: "Review & publish" })).toBeTruthy();
    expect(screen.getAllByRole("img", { name: "Done" })).toHaveLength(4);
    expect(screen.getByRole("link", { name: "Review Profile" })).toBeTruthy();
    expect(screen.queryByText("Complete previous steps")).toBeNull();
  });

  it("shows a load error", async () => {
    responses.set("GET /api/onboarding/status", { status: 500 });
    renderApp("/onboarding", ADA);
    expect(await screen.findByText("Failed to load onboarding status. Please try again later.")).toBeTruthy();
  });
});
