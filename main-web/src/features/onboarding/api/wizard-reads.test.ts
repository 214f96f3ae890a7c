import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { api } from "@/lib/api-client";
import { apiServer, heldResponse } from "@/testing/api-server";
import { requirementsQuery } from "@/features/documents/api/get-requirements";
import { trackSave } from "@/lib/pending-saves";
import { statusQuery } from "./get-status";
import { wizardProfileQuery } from "./get-wizard-profile";

const { responses, calls } = apiServer();
const client = () => new QueryClient();
const READS: [string, () => Promise<unknown>][] = [
  ["status", () => client().query(statusQuery("ada"))],
  ["requirements", () => client().query(requirementsQuery("ada"))],
  ["profile", () => client().query(wizardProfileQuery("ada"))],
];

describe("a read of the wizard", () => {
  it.each(READS)("of the %s waits for a running save", async (name, start) => {
    const { responder, release } = heldResponse({});
    responses.set("POST /api/onboarding/unpublish", responder);
    responses.set(`GET /api/onboarding/${name}`, { body: {} });
    responses.set("GET /api/config", { body: {} });
    const save = trackSave(api.POST("/onboarding/unpublish"));
    const read = start();
    await api.GET("/config"); // as long as a read takes that does not wait
    expect(calls.map(({ route }) => route)).toEqual(["POST /api/onboarding/unpublish", "GET /api/config"]);
    release();
    await Promise.all([save, read]);
    expect(calls.at(-1)?.route).toBe(`GET /api/onboarding/${name}`);
  });
});
