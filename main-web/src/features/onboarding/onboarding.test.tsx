import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { SITE_LIVE_STATE } from "@/lib/site-live";
import type { Site, WizardProfile } from "./lib/types";
import { EMPTY, EMPTY_STATUS, READY, NEEDED, category } from "./onboarding-fixtures";
import { waitForSaves } from "./lib/pending-saves";

const { responses, calls } = apiServer();

const sentBodies = (route: string) => calls.filter((call) => call.route === route).map((call) => call.body);

/** The state of the fake API. */
let stored = EMPTY;
beforeEach(() => {
  stored = EMPTY;
  responses.set("GET /api/onboarding/status", { body: EMPTY_STATUS });
  responses.set("GET /api/onboarding/profile", () => ({ body: stored }));
  responses.set("GET /api/skills/categories", {
    body: [
      category("creative", "Creative"),
      category("woodworking", "Woodworking"),
      category("driving", "Driving", true),
    ],
  });
  responses.set("GET /api/onboarding/requirements", { body: { needed: NEEDED } });
  const saveProfile = ({ body }: { body: unknown }) => {
    stored = { ...stored, ...(body as Partial<WizardProfile>) };
    return { body: stored };
  };
  responses.set("PUT /api/onboarding/draft", saveProfile);
  responses.set("POST /api/onboarding/profile", saveProfile);
});

// A page saves when it unmounts; wait for it within its own test.
afterEach(async () => {
  cleanup();
  await waitForSaves();
});

describe("the checklist", () => {
  it("shows the open steps and links to them", async () => {
    renderApp("/onboarding", ADA);
    expect(await screen.findByRole("heading", { name: "Become a Guru", level: 1 })).toBeTruthy();
    for (const name of ["Profile", "Categories", "Requirements", "Payout"]) {
      expect((await screen.findByRole("link", { name: `Complete ${name}` })).getAttribute("href")).toBe(
        `/onboarding/${name.toLowerCase()}`,
      );
    }
    expect(screen.getByText("Complete previous steps")).toBeTruthy();
    expect(screen.getByText("Background checks are coming soon.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Review & publish" })).toBeNull();
  });

  it("links to the review once everything is done", async () => {
    responses.set("GET /api/onboarding/status", { body: READY });
    renderApp("/onboarding", ADA);
    expect(await screen.findByRole("link", { name: "Review & publish" })).toBeTruthy();
    expect(screen.getAllByRole("img", { name: "Done" })).toHaveLength(4);
    expect(screen.getByRole("link", { name: "Review Profile" })).toBeTruthy();
    expect(screen.queryByText("Complete previous steps")).toBeNull();
  });

  it("shows a load error", async () => {
    responses.set("GET /api/onboarding/status", { status: 500 });
    renderApp("/onboarding", ADA);
    expect(await screen.findByText("Failed to load onboarding status. Please try again later.")).toBeTruthy();
  });
});

describe("the profile step", () => {
  it("autosaves, and restores after leaving", async () => {
    const { router } = renderApp("/onboarding/profile", ADA);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Display Name"), "Ada");
    expect(await screen.findByText("Saved")).toBeTruthy();
    // Typing on a slow machine also saves in between.
    await waitFor(() =>
      expect(sentBodies("PUT /api/onboarding/draft").at(-1)).toMatchObject({ displayName: "Ada", city: "" }),
    );
    // Leaving saves at once.
    await user.type(screen.getByLabelText("City"), "Boulder");
    await router.navigate("/onboarding");
    await screen.findByRole("heading", { name: "Become a Guru" });
    await router.navigate("/onboarding/profile");
    expect(await screen.findByDisplayValue("Boulder")).toBeTruthy();
    expect(screen.getByDisplayValue("Ada")).toBeTruthy();
  });

  it("requires fields and a valid URL", async () => {
    renderApp("/onboarding/profile", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByText("Use a link instead"));
    await user.type(screen.getByLabelText(/^Photo URL/), "picture.png");
    await user.click(screen.getByRole("button", { name: "Save and continue" }));
    for (const name of ["Display Name", "City", "ZIP Code", "Bio"]) {
      expect(await screen.findByText(`${name} is required`)).toBeTruthy();
    }
    expect(screen.getByText("Photo URL must start with https://")).toBeTruthy();
    expect(sentBodies("POST /api/onboarding/profile")).toEqual([]);
    expect(screen.getByLabelText("Bio").getAttribute("rows")).toBe("4");
  });

  it("offers the town that was meant, and saves it with one press", async () => {
    const town = (label: string) => ({
      label,
      city: "",
      principalSubdivision: "",
      countryCode: "US",
      latitude: 1,
      longitude: 1,
    });
    stored = { displayName: "Ada", photoUrl: "", city: "", zip: "97477", bio: "I bake.", complete: false };
    responses.set("GET /api/geocode/match", ({ route }) => ({
      body: route.includes("97477")
        ? { place: town("Springfield, Oregon"), choices: [], message: "" }
        : { place: null, choices: [town("Springfield, Missouri")], message: "There is more than one Springfield." },
    }));
    renderApp("/onboarding/profile", ADA);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("City"), "Springfield");
    await user.click(await screen.findByRole("button", { name: "Springfield, Oregon" }));
    expect(screen.getByLabelText<HTMLInputElement>("City").value).toBe("Springfield, Oregon");
    await waitFor(() =>
      expect(sentBodies("PUT /api/onboarding/draft").at(-1)).toMatchObject({ city: "Springfield, Oregon" }),
    );
  });

  it("keeps the input on errors and then continues", async () => {
    stored = { displayName: "Ada", photoUrl: "", city: "Denver", zip: "80202", bio: "I bake.", complete: true };
    responses.set("POST /api/onboarding/profile", {
      status: 422,
      body: { message: "No.", fields: { zip: "Not that one." } },
    });
    const { router } = renderApp("/onboarding/profile", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Save and continue" }));
    expect(await screen.findByText("Not that one.")).toBeTruthy();
    expect(screen.getByText("No.")).toBeTruthy();
    expect(screen.getByDisplayValue("I bake.")).toBeTruthy();
    responses.set("POST /api/onboarding/profile", { body: stored });
    await user.click(screen.getByRole("button", { name: "Save and continue" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/onboarding/categories"));
  });

  describe("the photo", () => {
    const PATH = "/api/photos/01a20aa1-b44f-776c-b690-872d87189bad.webp";
    const account = { displayName: "Ada Lovelace", photoURL: PATH, location: "Denver", bio: "I count." };

    it("is taken from the profile, removed and saved", async () => {
      responses.set("GET /api/auth/profile", { body: account });
      responses.set(`GET ${PATH}`, { body: {} });
      responses.set("PUT /api/onboarding/photo", () => {
        stored = { ...stored, photoUrl: PATH };
        return { body: stored };
      });
      renderApp("/onboarding/profile", ADA);
      const user = userEvent.setup();
      await user.click(await screen.findByRole("button", { name: "Use my profile photo" }));
      expect(await screen.findByRole("button", { name: "Choose another photo" })).toBeTruthy();
      expect(screen.queryByRole("button", { name: "Use my profile photo" })).toBeNull();
      expect(screen.getByLabelText<HTMLInputElement>(/^Photo URL/).value).toBe("");
      await waitFor(() => expect(sentBodies("PUT /api/onboarding/draft").at(-1)).toMatchObject({ photoUrl: PATH }));
      await user.click(screen.getByRole("button", { name: "Remove photo" }));
      await waitFor(() => expect(sentBodies("PUT /api/onboarding/draft").at(-1)).toMatchObject({ photoUrl: "" }));
    });

    it("says why an upload failed and keeps the form", async () => {
      responses.set("GET /api/auth/profile", { body: account });
      responses.set(`GET ${PATH}`, { body: {} });
      responses.set("PUT /api/onboarding/photo", { status: 422, body: { fields: { photo: "Not a photo." } } });
      renderApp("/onboarding/profile", ADA);
      await userEvent.setup().click(await screen.findByRole("button", { name: "Use my profile photo" }));
      expect(await screen.findByText("Not a photo.")).toBeTruthy();
      expect(screen.getByDisplayValue("I count.")).toBeTruthy();
    });
  });

  it("starts with the account's data", async () => {
    responses.set("GET /api/auth/profile", {
      body: {
        displayName: "Ada Lovelace",
        photoURL: "/api/photos/x.webp",
        location: "Denver, Colorado",
        bio: "I count.",
      },
    });
    renderApp("/onboarding/profile", ADA);
    expect(await screen.findByDisplayValue("Ada Lovelace")).toBeTruthy();
    expect(screen.getByDisplayValue("Denver, Colorado")).toBeTruthy();
    expect(screen.getByDisplayValue("I count.")).toBeTruthy();
    expect(sentBodies("PUT /api/onboarding/draft")).toEqual([]);
  });

  it("shows a load error", async () => {
    responses.set("GET /api/onboarding/profile", { status: 503 });
    renderApp("/onboarding/profile", ADA);
    expect(await screen.findByText("Could not load your profile. Please try refreshing the page.")).toBeTruthy();
  });
});

describe("the categories step", () => {
  it("saves each choice and continues", async () => {
    const { router } = renderApp("/onboarding/categories", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Continue" }));
    expect(await screen.findByText("Please choose at least one.")).toBeTruthy();
    responses.set("POST /api/onboarding/categories", ({ body }) => ({ body }));
    await user.click(screen.getByRole("checkbox", { name: "Creative" }));
    expect(await screen.findByText("Saved")).toBeTruthy();
    expect(screen.queryByRole("checkbox", { name: /Driving/ })).toBeNull();
    expect(screen.getByText("Driving").closest("label")?.textContent).toContain("Coming Soon");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/onboarding/requirements"));
    expect(sentBodies("POST /api/onboarding/categories").at(-1)).toEqual({ categories: ["creative"] });
  });

  it("shows save and load errors", async () => {
    responses.set("POST /api/onboarding/categories", { status: 500 });
    renderApp("/onboarding/categories", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("checkbox", { name: "Woodworking" }));
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Woodworking" }).checked).toBe(true);
  });

  it("shows a load error for categories", async () => {
    responses.set("GET /api/skills/categories", { status: 500 });
    renderApp("/onboarding/categories", ADA);
    expect(await screen.findByText("Could not load categories. Please try refreshing the page.")).toBeTruthy();
  });
});

describe("the requirements step", () => {
  it("lists what each category needs", async () => {
    renderApp("/onboarding/requirements", ADA);
    expect(await screen.findByText("General liability insurance $1M/$2M")).toBeTruthy();
    expect(screen.getByText("In review")).toBeTruthy();
    expect(screen.getByText("No documents needed.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Upload documents" }).getAttribute("href")).toBe("/onboarding/documents");
  });

  it("shows a load error", async () => {
    responses.set("GET /api/onboarding/requirements", { status: 500 });
    renderApp("/onboarding/requirements", ADA);
    expect(await screen.findByText("Failed to load requirements. Please try again later.")).toBeTruthy();
  });
});

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
    expect(card.getByText("Enter your address")).toBeTruthy();
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
