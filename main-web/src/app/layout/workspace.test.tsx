import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp, SIGNED_OUT } from "@/testing/render-app";

const { responses } = apiServer();

const GURU = {
  label: "loom",
  character: "Loom Guru",
  status: "active",
  address: "https://loom.porchlight.localhost",
  newLeads: 120,
  suspension: null,
};

// Import before the first test's timeout starts.
beforeAll(
  () =>
    Promise.all([
      import("@/features/admin/components/admin-layout"),
      import("@/features/sites/admin/pages/sites-page"),
      import("@/features/console/components/console-layout"),
      import("@/features/leads/guru/pages/leads-page"),
    ]),
  60_000,
);

beforeEach(() => {
  responses.set("GET /api/admin/ping", { body: { name: "Maya Lindqvist", shared: false } });
  responses.set("GET /api/admin/sites", { body: { items: [], nextCursor: null } });
  responses.set("GET /api/guru", { body: { guru: GURU } });
  responses.set("GET /api/guru/leads", {
    body: { leads: [], counts: { new: 120, read: 0, answered: 0, archived: 0 }, nextCursor: null },
  });
});

describe.each([
  { area: "admin", at: "/admin/sites", nav: "Admin", current: "Guru sites", start: "Dashboard", session: SIGNED_OUT },
  { area: "console", at: "/guru/leads", nav: "My site", current: "Leads", start: "Overview", session: ADA },
])("the frame of the $area", ({ at, nav, current, start, session }) => {
  it("has no footer and no sign-in of the public pages", async () => {
    renderApp(at, session);
    await screen.findByRole("navigation", { name: nav });
    expect(screen.queryByRole("contentinfo")).toBeNull();
    expect(screen.queryByRole("link", { name: "Sign In" })).toBeNull();
    expect(screen.queryByRole("link", { name: "Sign Up" })).toBeNull();
    expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
  });

  it("names the current section beside the menu button, which opens and closes", async () => {
    renderApp(at, session);
    const button = await screen.findByRole("button", { name: `Menu ${current}` });
    const user = userEvent.setup();
    expect(button.getAttribute("aria-expanded")).toBe("false");
    await user.click(button);
    expect(button.getAttribute("aria-expanded")).toBe("true");
    await user.keyboard("{Escape}");
    expect(button.getAttribute("aria-expanded")).toBe("false");
    expect(document.activeElement).toBe(button);
    await user.click(button);
    const sections = within(screen.getByRole("navigation", { name: nav }));
    expect(sections.getByRole("link", { current: "page" }).textContent).toContain(current);
    await user.click(sections.getByRole("link", { name: start }));
    await waitFor(() => expect(button.getAttribute("aria-expanded")).toBe("false"));
  });
});

describe("the frame of the console", () => {
  it("counts new leads and keeps the guru's account at hand", async () => {
    renderApp("/guru/leads", ADA);
    expect(await screen.findByRole("link", { name: /^Leads\s*99\+\s*new$/ })).toBeTruthy();
    expect(await screen.findByRole("button", { name: "Account menu for Ada Lovelace" })).toBeTruthy();
  });
});

describe("the admin login", () => {
  it("keeps the header and footer of the public pages", async () => {
    renderApp("/admin/login");
    expect(await screen.findByRole("contentinfo")).toBeTruthy();
    expect(screen.getByRole("navigation", { name: "Main" })).toBeTruthy();
  });
});
