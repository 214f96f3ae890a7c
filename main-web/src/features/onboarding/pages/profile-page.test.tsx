import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { ADA, renderApp } from "@/testing/render-app";
import { onboardingServer } from "../onboarding-server";

const { responses, saved, sentBodies } = onboardingServer();

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
    saved.profile = { displayName: "Ada", photoUrl: "", city: "", zip: "97477", bio: "I bake.", complete: false };
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
    saved.profile = { displayName: "Ada", photoUrl: "", city: "Denver", zip: "80202", bio: "I bake.", complete: true };
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
    responses.set("POST /api/onboarding/profile", { body: saved.profile });
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
        saved.profile = { ...saved.profile, photoUrl: PATH };
        return { body: saved.profile };
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
