import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ADA, renderApp } from "@/testing/render-app";
import { onboardingServer } from "../onboarding-server";

const { responses } = onboardingServer();

describe("the requirements step", () => {
  it("lists what each category needs", async () => {
    renderApp("/onboarding/requirements", ADA);
    expect(await screen.findByText("General liability insurance $1M/$2M")).toBeTruthy();
    expect(screen.getByText("In review")).toBeTruthy();
    expect(screen.getByText("No documents needed.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Upload documents" }).getAttribute("href")).toBe("/onboarding/documents");
  });

  it("shows a load error", async () => {
    responses.set("GET /api/onboarding/requirements", { status: 500 });
    renderApp("/onboarding/requirements", ADA);
    expect(await screen.findByText("Failed to load requirements. Please try again later.")).toBeTruthy();
  });
});
