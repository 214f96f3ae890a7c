import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { ADA, renderApp } from "@/testing/render-app";
import { onboardingServer } from "../onboarding-server";

const { responses, sentBodies } = onboardingServer();

describe("the categories step", () => {
  it("saves each choice and continues", async () => {
    const { router } = renderApp("/onboarding/categories", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Continue" }));
    expect(await screen.findByText("Please choose at least one.")).toBeTruthy();
    responses.set("POST /api/onboarding/categories", ({ body }) => ({ body }));
    await user.click(screen.getByRole("checkbox", { name: "Creative" }));
    expect(await screen.findByText("Saved")).toBeTruthy();
    expect(screen.queryByRole("checkbox", { name: /Driving/ })).toBeNull();
    expect(screen.getByText("Driving").closest("label")?.textContent).toContain("Coming Soon");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/onboarding/requirements"));
    expect(sentBodies("POST /api/onboarding/categories").at(-1)).toEqual({ categories: ["creative"] });
  });

  it("shows save and load errors", async () => {
    responses.set("POST /api/onboarding/categories", { status: 500 });
    renderApp("/onboarding/categories", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("checkbox", { name: "Woodworking" }));
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Woodworking" }).checked).toBe(true);
  });

  it("shows a load error for categories", async () => {
    responses.set("GET /api/skills/categories", { status: 500 });
    renderApp("/onboarding/categories", ADA);
    expect(await screen.findByText("Could not load categories. Please try refreshing the page.")).toBeTruthy();
  });

  it("tells the plan's limit before and while choosing", async () => {
    const limits = [{ feature: "listed_categories", included: true, limit: 1, used: 0 }];
    responses.set("GET /api/billing", { body: { plan: "community", planName: "Community Member", limits } });
    responses.set("POST /api/onboarding/categories", ({ body }) => ({ body }));
    renderApp("/onboarding/categories", ADA);
    expect(await screen.findByText("As a Community Member, your site shows one category.")).toBeTruthy();
    const user = userEvent.setup();
    await user.click(await screen.findByRole("checkbox", { name: "Creative" }));
    expect(screen.queryByText(/You chose/)).toBeNull();
    await user.click(screen.getByRole("checkbox", { name: "Woodworking" }));
    const told = await screen.findByText(
      /^You chose 2\. As a Community Member, your site shows one category: the first one/,
    );
    expect(told.textContent).toContain("The others wait");
  });
});
