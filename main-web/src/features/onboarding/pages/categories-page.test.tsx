import { cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { waitForSaves } from "../lib/pending-saves";
import { EMPTY_STATUS } from "../onboarding-fixtures";

const { responses } = apiServer();

// A page saves when it unmounts; wait for it within its own test.
afterEach(async () => {
  cleanup();
  await waitForSaves();
});

const REQUIREMENTS = { requires_license: false, requires_gl: false, requires_auto_insurance: false, notes: "" };

it("tells the plan's limit before and while choosing", async () => {
  const categories = ["Creative", "Woodworking"].map((name) => ({
    slug: name.toLowerCase(),
    name,
    icon: "palette",
    comingSoon: false,
    requirements: REQUIREMENTS,
  }));
  const limits = [{ feature: "listed_categories", included: true, limit: 1, used: 0 }];
  responses.set("GET /api/skills/categories", { body: categories });
  responses.set("GET /api/onboarding/status", { body: EMPTY_STATUS });
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
