import { screen } from "@testing-library/react";
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

it("says which flags are on, and which are of features that are not built", async () => {
  responses.set("GET /api/admin/ping", { body: SHARED_KEY });
  responses.set("GET /api/feature-flags/admin", {
    body: {
      success: true,
      flags: { booking: true, messaging: false, aiRecommendations: true, darkMode: false },
      unread: ["aiRecommendations", "darkMode"],
    },
  });
  renderApp("/admin?tab=flags");
  const row = async (name: string) => (await screen.findByText(name)).closest("li")?.textContent;
  expect(await row("Booking")).toBe("BookingEnabled");
  expect(await row("Messaging")).toBe("MessagingDisabled");
  expect(await row("AI Recommendations")).toBe("AI RecommendationsNot built");
  expect(await row("Dark Mode")).toBe("Dark ModeNot built");
});
