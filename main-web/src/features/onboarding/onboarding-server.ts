import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import { apiServer } from "@/testing/api-server";
import { waitForSaves } from "@/lib/pending-saves";
import type { WizardProfile } from "./lib/types";
import { category, EMPTY, EMPTY_STATUS, NEEDED } from "./onboarding-fixtures";

/** Start a fake API for the tests of the onboarding pages. `saved.profile` is the profile that it stores. */
export function onboardingServer() {
  const { responses, calls } = apiServer();
  const saved = { profile: EMPTY };

  beforeEach(() => {
    saved.profile = EMPTY;
    responses.set("GET /api/onboarding/status", { body: EMPTY_STATUS });
    responses.set("GET /api/onboarding/skill-proposals", { body: { skills: ["Baking", "Pie"] } });
    responses.set("GET /api/onboarding/profile", () => ({ body: saved.profile }));
    responses.set("GET /api/skills/categories", {
      body: [
        category("creative", "Creative"),
        category("woodworking", "Woodworking"),
        category("driving", "Driving", true),
      ],
    });
    responses.set("GET /api/onboarding/requirements", { body: { needed: NEEDED } });
    const saveProfile = ({ body }: { body: unknown }) => {
      saved.profile = { ...saved.profile, ...(body as Partial<WizardProfile>) };
      return { body: saved.profile };
    };
    responses.set("PUT /api/onboarding/draft", saveProfile);
    responses.set("POST /api/onboarding/profile", saveProfile);
  });

  // A page saves when it unmounts; wait for it within its own test.
  afterEach(async () => {
    cleanup();
    await waitForSaves();
  });

  const sentBodies = (route: string) => calls.filter((call) => call.route === route).map((call) => call.body);
  return { responses, calls, saved, sentBodies };
}
