import { screen, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const PATH = "/liability-demo";
const ROUTE = "POST /api/liability/waiver";
const ACCEPTED = { waiverId: "w-1", acceptedAt: "2026-11-23T15:30:00Z", expiresAt: "2026-12-23T15:30:00Z" };

function setRating(rating: string) {
  const body = { rating, level: rating, requiresWaiver: rating === "high", reasons: ["A reason."], known: true };
  responses.set("POST /api/liability/risk", { body });
}

beforeEach(() => {
  sessionStorage.clear();
  responses.set("GET /api/liability/waivers", { body: { waivers: [] } });
  setRating("low");
  for (const level of ["low", "medium", "high"]) {
    const text = { version: 1, title: `Waiver ${level}`, body: "# T\n\nRead it.", sha256: level, guruText: null };
    const body = { level, ...text, validDays: 30 };
    responses.set(`GET /api/liability/texts/${level}`, { body });
  }
});

const join = async (user: UserEvent, skill: string) =>
  user.click(await screen.findByRole("button", { name: `Join Exchange (Waiver Required): ${skill}` }));
const acceptButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Accept" });

async function tickAll(user: UserEvent) {
  await screen.findByText("Read it.");
  for (const name of [/read and understood/, /acknowledge the risks/, /agree to the release/]) {
    await user.click(screen.getByRole("checkbox", { name }));
  }
}

describe("the liability demo", () => {
  it("shows five samples with risk badges and the benefits", async () => {
    renderApp(PATH);
    expect(await screen.findAllByText("Join Exchange (Waiver Required)")).toHaveLength(5);
    expect(screen.getAllByText("High Risk")).toHaveLength(2);
    expect(screen.getAllByText("Medium Risk")).toHaveLength(2);
    expect(screen.getAllByText("Low Risk")).toHaveLength(1);
    for (const title of ["Risk-based waivers", "Emergency contacts", "Audit trail", "Auto-expiration"]) {
      expect(screen.getByRole("heading", { name: title })).toBeTruthy();
    }
  });

  it("accepts a waiver after all three checkboxes", async () => {
    renderApp(PATH, ADA);
    const user = userEvent.setup();
    const held = heldResponse(ACCEPTED);
    responses.set(ROUTE, held.responder);
    await join(user, "Web Programming");
    await screen.findByText("Read it.");
    expect(acceptButton().disabled).toBe(true);
    await tickAll(user);
    expect(screen.queryByLabelText("Contact name")).toBeNull();
    await user.click(acceptButton());
    const busy = await screen.findByRole("button", { name: "Accepting..." });
    expect(busy.getAttribute("aria-disabled")).toBe("true");
    expect(document.activeElement).toBe(busy);
    held.release();
    expect(
      await screen.findByText(
        'Liability waiver accepted! You can now participate in "Web Programming". Exchange can proceed safely.',
      ),
    ).toBeTruthy();
    expect(screen.getByText("Liability waiver accepted")).toBeTruthy();
    expect(screen.getByText("Waiver ID: w-1")).toBeTruthy();
    const [call] = calls.filter(({ route }) => route === ROUTE);
    expect(call?.body).toMatchObject({
      riskLevel: "low",
      emergencyContact: null,
      exchangeId: "sample-programming",
      signature: { typedName: "Ada Lovelace", participantName: "Ada Lovelace", guardian: false },
    });
  });

  it("needs the emergency contact's name and phone for high risk", async () => {
    renderApp(PATH, ADA);
    const user = userEvent.setup();
    await join(user, "Strength Training");
    await tickAll(user);
    expect(acceptButton().disabled).toBe(true);
    await user.type(screen.getByLabelText("Contact name"), "Maria");
    expect(acceptButton().disabled).toBe(true);
    await user.type(screen.getByLabelText("Contact phone"), "555 0199");
    expect(acceptButton().disabled).toBe(false);
  });

  it("shows the server's level if it is higher", async () => {
    setRating("high");
    renderApp(PATH, ADA);
    const user = userEvent.setup();
    await join(user, "Web Programming");
    const dialog = await screen.findByRole("dialog");
    expect(await within(dialog).findByText("Waiver high")).toBeTruthy();
    expect(within(dialog).getByText("High Risk")).toBeTruthy();
    expect(within(dialog).getByLabelText("Contact name")).toBeTruthy();
  });

  it("says that the waiver is required when the dialog is closed", async () => {
    renderApp(PATH, ADA);
    const user = userEvent.setup();
    await join(user, "Italian Cooking");
    await user.click(await screen.findByRole("button", { name: "Not now" }));
    expect(
      await screen.findByText(
        "Liability waiver is required to participate in skill exchanges. Please accept the waiver to continue.",
      ),
    ).toBeTruthy();
    expect(calls.filter(({ route }) => route === ROUTE)).toEqual([]);
  });

  it("keeps the input after an error and retries with the same key", async () => {
    responses.set(ROUTE, { status: 409, body: { code: "conflict", message: "The level is higher." } });
    renderApp(PATH, ADA);
    const user = userEvent.setup();
    await join(user, "Web Programming");
    await tickAll(user);
    await user.click(acceptButton());
    expect(await screen.findByText("Failed to submit liability waiver. Please try again.")).toBeTruthy();
    expect(await screen.findByText("The level is higher.")).toBeTruthy();
    responses.set(ROUTE, { status: 201, body: ACCEPTED });
    await user.click(acceptButton());
    expect(await screen.findByText("Waiver ID: w-1")).toBeTruthy();
    const keys = calls.filter(({ route }) => route === ROUTE).map((call) => call.headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it("shows waivers that were accepted before", async () => {
    const waiver = { ...ACCEPTED, exchangeId: "sample-cooking", exchangeTitle: "", level: "medium", textVersion: 1 };
    const waivers = [
      { ...waiver, signed: true, endedAt: null, state: "valid" },
      { ...waiver, exchangeId: "sample-programming", signed: true, endedAt: null, state: "expired" },
    ];
    responses.set("GET /api/liability/waivers", { body: { waivers } });
    renderApp(PATH, ADA);
    expect(await screen.findByText("Liability waiver accepted")).toBeTruthy();
    expect(screen.getAllByText("Join Exchange (Waiver Required)")).toHaveLength(4);
  });

  it("keeps a visitor's input over the sign-in", async () => {
    const { router } = renderApp(PATH);
    const user = userEvent.setup();
    await join(user, "Strength Training");
    await tickAll(user);
    await user.type(screen.getByLabelText("Contact name"), "Maria");
    await user.type(screen.getByLabelText("Contact phone"), "555 0199");
    await user.click(acceptButton());
    expect(await screen.findByText("Please sign in to accept the waiver for Strength Training.")).toBeTruthy();
    expect(router.state.location.state).toMatchObject({ from: PATH });
    expect(calls.filter(({ route }) => route === ROUTE)).toEqual([]);

    renderApp(PATH, ADA);
    expect((await screen.findByLabelText<HTMLInputElement>("Contact name")).value).toBe("Maria");
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /read and understood/ }).checked).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>("Participant's name").value).toBe("Ada Lovelace");
    responses.set(ROUTE, { status: 201, body: ACCEPTED });
    await screen.findByText("Read it.");
    await user.click(acceptButton());
    expect(await screen.findByText("Waiver ID: w-1")).toBeTruthy();
    expect(sessionStorage).toHaveLength(0);
  });
});
