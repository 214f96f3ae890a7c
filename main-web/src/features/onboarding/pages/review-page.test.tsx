import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { ADA, renderApp } from "@/testing/render-app";
import { SITE_LIVE_STATE } from "@/lib/site-live";
import type { Site } from "../lib/types";
import { NEEDED, READY } from "../onboarding-fixtures";
import { onboardingServer } from "../onboarding-server";

const { responses, calls, sentBodies } = onboardingServer();

describe("the review", () => {
  it("blocks publishing until everything is done", async () => {
    renderApp("/onboarding/review", ADA);
    const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Publish Profile" });
    expect(button.disabled).toBe(true);
    expect(screen.getByText("Complete all steps first.")).toBeTruthy();
  });

  it("says when neighbors can ask for times", async () => {
    responses.set("GET /api/onboarding/status", { body: READY });
    renderApp("/onboarding/review", ADA);
    const card = within(await screen.findByRole("region", { name: "Services" }));
    const hours =
      "on weekdays from 9 AM to 5 PM (Eastern Time). You answer each request, and change your hours anytime.";
    expect(await card.findByText(`Neighbors can ask for times ${hours}`)).toBeTruthy();
    const tooLong = /They'll message you about this one/;
    expect(card.queryByText(tooLong)).toBeNull();
    const user = userEvent.setup();
    await user.type(card.getByLabelText("Minutes"), "0");
    expect(card.getByText(tooLong)).toBeTruthy();
  });

  it("moves to the first wrong field of the services", async () => {
    const twice = [...READY.services.services, { ...READY.services.services[0], name: "Class" }];
    const body = { ...READY, services: { ...READY.services, services: twice } };
    responses.set("GET /api/onboarding/status", { body });
    renderApp("/onboarding/review", ADA);
    const card = within(await screen.findByRole("region", { name: "Services" }));
    const [, price] = card.getAllByLabelText("Price ($)");
    if (!price) throw new Error("The second service has no price.");
    const user = userEvent.setup();
    await user.clear(price);
    await user.click(card.getByRole("button", { name: "Confirm services" }));
    expect(document.activeElement).toBe(price);
    expect(card.getByText(/^Enter a price from/)).toBeTruthy();
    expect(calls.some(({ route }) => route.includes("services"))).toBe(false);
  });

  it("changes, adds and removes services", async () => {
    const route = "PUT /api/onboarding/services";
    responses.set("GET /api/onboarding/status", { body: READY });
    responses.set(route, { body: READY.services });
    renderApp("/onboarding/review", ADA);
    const user = userEvent.setup();
    const card = within(await screen.findByRole("region", { name: "Services" }));
    expect(card.queryByRole("button", { name: /^Remove/ })).toBeNull();
    const add = card.getByRole("button", { name: "Add a service" });
    await user.click(add);
    const added = within(card.getByRole("group", { name: "Service 2" }));
    expect(document.activeElement).toBe(added.getByLabelText("Name"));
    await user.keyboard("Bread for two");
    await user.type(added.getByLabelText("Price ($)"), "60");
    await user.type(added.getByLabelText(/^What it includes/), "Flour\n\n Salt ");
    await user.click(card.getByRole("button", { name: "Remove Lesson" }));
    expect(document.activeElement).toBe(add);
    await user.click(card.getByRole("button", { name: "Confirm services" }));
    expect(await screen.findByText("Your services are confirmed.")).toBeTruthy();
    expect(sentBodies(route)).toEqual([
      {
        services: [
          {
            name: "Bread for two",
            priceCents: 6000,
            durationMinutes: 60,
            description: "",
            features: ["Flour", "Salt"],
          },
        ],
        place: "guru",
        placeText: "12 Elm Street",
      },
    ]);
  });

  it("adds a proposed skill with one press", async () => {
    const skills = { confirmed: false, skills: ["Pie"] };
    responses.set("GET /api/onboarding/status", { body: { ...READY, skills } });
    renderApp("/onboarding/review", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Add Baking" }));
    expect(screen.getByLabelText<HTMLTextAreaElement>("What you teach").value).toBe("Pie, Baking");
    expect(screen.queryByRole("button", { name: /^Add (Baking|Pie)/ })).toBeNull();
  });

  it("asks where sessions take place", async () => {
    const route = "PUT /api/onboarding/services";
    const services = { ...READY.services, confirmed: false, place: "", placeText: "" };
    responses.set("GET /api/onboarding/status", { body: { ...READY, services } });
    renderApp("/onboarding/review", ADA);
    const user = userEvent.setup();
    const card = within(await screen.findByRole("region", { name: "Services" }));
    const confirm = card.getByRole("button", { name: "Confirm services" });
    await user.click(confirm);
    expect(card.getByText("Choose where you meet")).toBeTruthy();
    await user.selectOptions(card.getByLabelText("Where you meet"), "My place");
    await user.click(confirm);
    expect(card.getByText("Enter your address, so that neighbors can find you")).toBeTruthy();
    expect(calls.some((call) => call.route === route)).toBe(false);
    await user.type(card.getByLabelText("Your address and how to find it"), "9 Oak Street");
    responses.set(route, { body: { ...services, confirmed: true } });
    await user.click(confirm);
    expect(await screen.findByText("Your services are confirmed.")).toBeTruthy();
    expect(calls.find((call) => call.route === route)?.body).toMatchObject({
      place: "guru",
      placeText: "9 Oak Street",
    });
  });

  it("says that an approval comes first", async () => {
    responses.set("GET /api/onboarding/status", { body: READY });
    responses.set("GET /api/onboarding/requirements", { body: { needed: NEEDED.slice(0, 1) } });
    renderApp("/onboarding/review", ADA);
    expect(await screen.findByText(/^Once one of your categories is approved, neighbors can ask/)).toBeTruthy();
  });

  it("tells the menu and the dashboard that the site changed", async () => {
    const site: Site = {
      subdomain: "ada",
      url: "http://ada.porchlight.test/",
      status: "active",
      publishedAt: null,
      changed: false,
      categories: [],
    };
    responses.set("GET /api/onboarding/status", { body: { ...READY, site } });
    responses.set("GET /api/guru", { body: { guru: null } });
    renderApp("/onboarding/review", ADA);
    const summaries = () => sentBodies("GET /api/guru").length;
    const publish = await screen.findByRole("button", { name: "Publish Profile" });
    await waitFor(() => expect(summaries()).toBe(1));
    responses.set("POST /api/onboarding/publish", { status: 503 });
    await userEvent.setup().click(publish);
    await waitFor(() => expect(summaries()).toBe(2));
  });

  it("asks to confirm at least three skills first", async () => {
    const proposed = { confirmed: false, skills: ["Woodcarving", "Joinery"] };
    responses.set("GET /api/onboarding/status", { body: { ...READY, skills: proposed } });
    responses.set("GET /api/onboarding/subdomain", {
      body: { subdomain: "ada", available: true, reason: null, suggestion: "ada" },
    });
    renderApp("/onboarding/review", ADA);
    const user = userEvent.setup();
    const field = await screen.findByLabelText("What you teach");
    expect((field as HTMLTextAreaElement).value).toBe("Woodcarving, Joinery");
    expect(screen.getByText("Confirm your skills first.")).toBeTruthy();
    const publish = screen.getByRole<HTMLButtonElement>("button", { name: "Publish Profile" });
    expect(publish.disabled).toBe(true);
    const confirm = screen.getByRole("button", { name: "Confirm skills" });
    await user.click(confirm);
    expect(screen.getByText("Enter at least 3 skills.")).toBeTruthy();
    await user.type(field, ", Spoon carving");
    responses.set("PUT /api/onboarding/skills", { status: 503 });
    await user.click(confirm);
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect((field as HTMLTextAreaElement).value).toBe("Woodcarving, Joinery, Spoon carving");
    const skills = ["Woodcarving", "Joinery", "Spoon carving"];
    responses.set("PUT /api/onboarding/skills", { body: { confirmed: true, skills } });
    responses.set("GET /api/onboarding/status", { body: { ...READY, skills: { confirmed: true, skills } } });
    await user.click(confirm);
    expect(await screen.findByText("Your skills are confirmed.")).toBeTruthy();
    expect(sentBodies("PUT /api/onboarding/skills").at(-1)).toEqual({ skills });
    await waitFor(() => expect(publish.disabled).toBe(false));
  });

  it.each([
    ["skills", "What you teach"],
    ["services", "Link or how to join"],
  ])("asks before unsaved %s are lost", async (_, label) => {
    const services = { ...READY.services, place: "online" };
    const skills = { confirmed: false, skills: ["Bread", "Soup", "Pie"] };
    responses.set("GET /api/onboarding/status", { body: { ...READY, services, skills } });
    const { router } = renderApp("/onboarding/review", ADA);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText(label), ", Cake");
    void router.navigate("/onboarding");
    await user.click(await screen.findByRole("button", { name: "Stay on this page" }));
    expect(router.state.location.pathname).toBe("/onboarding/review");
    expect(screen.getByDisplayValue(/, Cake$/)).toBeTruthy();
  });

  it("publishes, or shows that the subdomain is taken", async () => {
    responses.set("GET /api/onboarding/status", { body: READY });
    responses.set("GET /api/onboarding/subdomain", ({ route }) => {
      const name = new URLSearchParams(route.split("?")[1]).get("name") || "ada";
      return { body: { subdomain: name, available: true, reason: null, suggestion: name } };
    });
    const message = "“ada” is already taken. Please choose another site address.";
    responses.set("POST /api/onboarding/publish", { status: 409, body: { message, fields: { subdomain: message } } });
    const { router } = renderApp("/onboarding/review", ADA);
    const user = userEvent.setup();
    expect(await screen.findByDisplayValue("ada")).toBeTruthy();
    const documents = screen.getByRole("region", { name: "Documents" });
    expect(within(documents).getByText(/General liability insurance/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Publish Profile" }));
    expect(await screen.findByText(message)).toBeTruthy();
    responses.set("POST /api/onboarding/publish", {
      status: 201,
      body: { subdomain: "ada2", url: "", status: "active", made: true },
    });
    await user.type(screen.getByLabelText("Site address"), "2");
    expect(screen.queryByText(message)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Publish Profile" }));
    expect(await screen.findByText("Submitted. A badge appears after any required docs are approved.")).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
    expect(router.state.location.state).toEqual(SITE_LIVE_STATE);
    expect(sentBodies("POST /api/onboarding/publish")).toEqual([{ subdomain: "ada" }, { subdomain: "ada2" }]);
  });

  it("keeps a late proposal out of the address that is being typed", async () => {
    responses.set("GET /api/onboarding/status", { body: READY });
    let propose = (): void => undefined;
    const proposed = new Promise<void>((resolve) => (propose = resolve));
    responses.set("GET /api/onboarding/subdomain", async ({ route }) => {
      const name = new URLSearchParams(route.split("?")[1]).get("name") ?? "";
      if (name === "") await proposed;
      return { body: { subdomain: name || "ada", available: true, reason: null, suggestion: name || "ada" } };
    });
    const { queries } = renderApp("/onboarding/review", ADA);
    const user = userEvent.setup();
    const field = await screen.findByLabelText<HTMLInputElement>("Site address");
    await user.click(field);
    propose();
    await waitFor(() => expect(queries.getQueryData(["onboarding", "u1", "subdomain", ""])).toBeTruthy());
    await user.type(field, "bread");
    expect(field.value).toBe("bread");
  });
});
