import { screen, within } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { SHARED_KEY } from "@/testing/admin/staff";

const { responses } = apiServer();

// Import before the first test's timeout starts.
beforeAll(
  () =>
    Promise.all([
      import("@/features/admin/components/admin-layout"),
      import("@/features/admin/dashboard/pages/dashboard-page"),
      import("@/app/admin-tabs"),
    ]),
  60_000,
);

it("says which flags have no effect yet, beside their value", async () => {
  responses.set("GET /api/admin/ping", { body: SHARED_KEY });
  responses.set("GET /api/feature-flags/admin", {
    body: {
      success: true,
      flags: { booking: true, messaging: true, darkMode: false },
      unread: ["darkMode"],
    },
  });
  renderApp("/admin?tab=flags");
  const row = async (name: string) => within((await screen.findByText(name)).closest("li") as HTMLElement);
  const text = async (name: string) => (await row(name)).getAllByText(/./).at(-1)?.textContent;
  expect(await text("Booking")).toBe("Enabled");
  expect((await row("Booking")).queryByText(/^Reserved/)).toBeNull();
  expect(await text("Messaging")).toBe("Enabled");
  expect((await row("Messaging")).queryByText(/^Reserved/)).toBeNull();
  expect(await text("Dark Mode")).toBe("Disabled");
  expect((await row("Dark Mode")).getByText(/^Reserved/)).toBeTruthy();
});
