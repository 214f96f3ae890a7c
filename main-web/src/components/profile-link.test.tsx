import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses } = apiServer();
afterEach(cleanup);

const MATCH = { user: { name: "Theo Barnes", handle: "theo", photoURL: null }, matchScore: 80, matchDetails: [] };

it.each([true, false])("links to a profile only while there are profiles: %s", async (userProfiles) => {
  responses.set("GET /api/config", { body: { firebase: null, stripe: null, flags: { userProfiles } } });
  responses.set(`GET /api/skills/matches/${ADA.user.uid}`, {
    body: { matches: [MATCH], targetUserId: ADA.user.uid, algorithm: "a", total: 1 },
  });
  renderApp("/skills?tab=ai-coach", ADA);
  expect(await screen.findByText("Theo Barnes")).toBeTruthy();
  await screen.findByRole("heading", { name: "Theo Barnes" });
  expect(screen.queryAllByRole("link", { name: "Theo Barnes" })).toHaveLength(userProfiles ? 1 : 0);
});
