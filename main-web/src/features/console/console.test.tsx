import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";

const { responses } = apiServer();

it("invites users without a site", async () => {
  responses.set("GET /api/guru", { body: { guru: null } });
  renderApp("/guru/leads", ADA);
  const link = await screen.findByRole("link", { name: "Become a Guru" });
  expect(link.getAttribute("href")).toBe("/onboarding");
});

it("shows that the site was suspended", async () => {
  const suspension = { reason: "The photos aren't yours.", since: "2026-11-01T09:00:00Z" };
  const operator = { name: "", address: "", phone: "", email: "help@porchlight.example" };
  responses.set("GET /api/guru", { body: { guru: { ...ADAS_SITE, status: "suspended", suspension } } });
  responses.set("GET /api/config", { body: { operator, firebase: null, stripe: null, flags: {} } });
  renderApp("/guru/leads", ADA);
  const notice = await screen.findByRole("alert");
  expect(notice.textContent).toContain("suspended your site");
  expect(notice.textContent).toContain("Reason: The photos aren't yours.");
  const email = await within(notice).findByRole("link", { name: operator.email });
  expect(email.getAttribute("href")).toBe("mailto:help@porchlight.example");
});

it("shows the reason of a suspension on the dashboard", async () => {
  const suspension = { reason: "Fake reviews", since: "2026-11-01T09:00:00Z" };
  responses.set("GET /api/guru", { body: { guru: { ...ADAS_SITE, status: "suspended", suspension } } });
  renderApp("/dashboard", ADA);
  expect(await screen.findByText(/Suspended by our team\. Reason: Fake reviews/)).toBeTruthy();
});
