import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses } = apiServer();

const NEEDED = "More than 3 swap, hours or free offers are part of Skill Sharer ($9 a month).";
const USAGE = { exchangeOffers: { used: 3, limit: 3 }, pricedOffers: { used: 0, limit: 0 } };
const MY_SKILLS = { offers: [], wants: [], city: "", byArea: false, workPhotos: { used: 0, limit: 1 }, ...USAGE };

beforeAll(() => import("./my-skills-page"), 60_000);

async function addBread(error: object, status: number) {
  responses.set("GET /api/skills/mine", { body: MY_SKILLS });
  responses.set("POST /api/skills/offers", { status, body: error });
  const user = userEvent.setup();
  renderApp("/skills/mine", ADA);
  const field = await screen.findByLabelText<HTMLInputElement>("Add a skill you teach");
  await user.type(field, "Rye bread");
  await user.keyboard("{Enter}");
  return { user, field };
}

it("offers the plan over the form, which keeps its text", async () => {
  const details = { feature: "exchange_offers", plan: "skill-sharer", limit: 3, used: 3 };
  const { user, field } = await addBread({ code: "plan_required", message: NEEDED, ...details }, 402);
  const sheet = await screen.findByRole("dialog", { name: "Part of Skill Sharer" });
  expect(sheet.textContent).toContain(NEEDED);
  expect(sheet.textContent).toContain("You use 3 of 3.");
  const plans = screen.getByRole("link", { name: /^See plans/ });
  expect([plans.getAttribute("href"), plans.getAttribute("target")]).toEqual(["/pricing", "_blank"]);
  await user.click(screen.getByRole("button", { name: "Not now" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(field.value).toBe("Rye bread");
});

it("stays away from errors that no plan helps with", async () => {
  const message = "Premium Angel includes up to 100 priced offers. Delete one to add another.";
  await addBread({ code: "limit_reached", message, feature: "priced_offers", plan: "premium-angel" }, 409);
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("shows how much of the plan is used", async () => {
  responses.set("GET /api/skills/mine", { body: MY_SKILLS });
  renderApp("/skills/mine", ADA);
  expect(await screen.findByText(/^3 of 3 swap, hours or free offers/)).toBeTruthy();
});
