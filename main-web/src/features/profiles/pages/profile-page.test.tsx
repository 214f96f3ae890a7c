import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Profile } from "@/lib/session/get-profile";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();

const PROFILE: Profile = {
  id: "u1",
  handle: "ada-lovelace",
  email: "ada@example.com",
  emailVerified: true,
  firstName: "Ada",
  lastName: "Lovelace",
  displayName: "Ada Lovelace",
  bio: "I count.",
  location: "Denver, Colorado",
  photoURL: "",
  skills: { offered: [{ name: "Knitting", level: "expert" }], wanted: [] },
  languages: ["English"],
  availability: "",
  privacy: { publicProfile: true, showLocation: true, showSkills: true, showAvailability: false },
  createdAt: "2026-10-03T09:00:00Z",
};

const puts = () => calls.filter((call) => call.route === "PUT /api/auth/profile");
/** Requests of the profile after it was saved. Parts that load late may request it too, so earlier ones do not count. */
const reloads = () => {
  const routes = calls.map((call) => call.route);
  return routes.slice(routes.lastIndexOf("PUT /api/auth/profile")).filter((route) => route === "GET /api/auth/profile");
};
const save = (user: UserEvent) => user.click(screen.getByRole("button", { name: "Save profile" }));

/** Store what is sent and return it. */
function storeProfile() {
  let stored = PROFILE;
  responses.set("GET /api/auth/profile", () => ({ body: stored }));
  responses.set("GET /api/auth/sessions", { body: { sessions: [] } });
  responses.set("PUT /api/auth/profile", ({ body }) => {
    stored = { ...stored, ...(body as Partial<Profile>) };
    return { body: stored };
  });
}

beforeEach(storeProfile);

async function open() {
  const app = renderApp("/profile", ADA);
  await screen.findByLabelText(/^Display name/);
  return { ...app, user: userEvent.setup() };
}

describe("the own profile", () => {
  it("sends only changed fields and reloads", async () => {
    const { user } = await open();
    await user.type(screen.getByLabelText(/^Bio/), " And weave.");
    await user.click(screen.getByRole("switch", { name: "Show when I'm available" }));
    await save(user);
    expect(await screen.findByText("Profile updated successfully!")).toBeTruthy();
    expect(puts()).toHaveLength(1);
    expect(puts()[0]?.body).toEqual({
      bio: "I count. And weave.",
      privacy: { ...PROFILE.privacy, showAvailability: true },
    });
    await waitFor(() => expect(reloads()).not.toEqual([]));
  });

  it("adds skills by keyboard and omits empty rows", async () => {
    const { user } = await open();
    screen.getByRole("button", { name: "Add a skill you want" }).focus();
    await user.keyboard("{Enter}");
    await user.keyboard("Sailing{Enter}Chess{Enter}");
    await user.selectOptions(
      within(screen.getByRole("group", { name: "Skills you want, 2" })).getByLabelText("Level"),
      "beginner",
    );
    await user.click(screen.getByRole("button", { name: "Remove row 1 of skills you offer" }));
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Add a skill you offer" }));
    await save(user);
    await waitFor(() => expect(puts()).toHaveLength(1));
    expect(puts()[0]?.body).toEqual({
      skills: {
        offered: [],
        wanted: [
          { name: "Sailing", level: null },
          { name: "Chess", level: "beginner" },
        ],
      },
    });
  });

  it("validates like the server before sending", async () => {
    const { user } = await open();
    await user.clear(screen.getByLabelText(/^Display name/));
    await user.clear(screen.getByLabelText(/^Handle/));
    await user.type(screen.getByLabelText(/^Handle/), "Ada--L");
    await save(user);
    for (const text of ["Enter a display name", "Use 3 to 40 lowercase letters, numbers and single hyphens"]) {
      expect(await screen.findByText(text)).toBeTruthy();
    }
    expect(puts()).toEqual([]);
  });

  it("offers the town of a ZIP code, because others see it", async () => {
    const denver = { label: "Denver, Colorado", city: "Denver", principalSubdivision: "Colorado", countryCode: "US" };
    const match = { place: { ...denver, latitude: 39.75, longitude: -105 }, choices: [], message: "" };
    responses.set("GET /api/geocode/match", { body: match });
    const { user } = await open();
    const field = screen.getByLabelText(/^Location/);
    await user.clear(field);
    await user.type(field, "80202");
    await user.click(await screen.findByRole("button", { name: "Denver, Colorado" }));
    expect(screen.getByDisplayValue("Denver, Colorado")).toBe(field);
    await user.clear(field);
    await user.type(field, "80202");
    responses.set("PUT /api/auth/profile", {
      status: 422,
      body: { message: "No.", fields: { location: "Did you mean Denver, Colorado?" } },
    });
    await save(user);
    expect(await screen.findByText("Did you mean Denver, Colorado?")).toBeTruthy();
    expect(screen.getByDisplayValue("80202")).toBe(field);
    await user.click(await screen.findByRole("button", { name: "Denver, Colorado" }));
    expect(screen.queryByText("Did you mean Denver, Colorado?")).toBeNull();
  });

  it.each([
    [503, {}, "Failed to update profile"],
    [404, {}, "API not configured"],
  ])("shows an error and keeps the input if saving fails (%s)", async (status, body, text) => {
    responses.set("PUT /api/auth/profile", { status, body });
    const { user } = await open();
    await user.type(screen.getByLabelText(/^Bio/), " More.");
    await save(user);
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Bio/).value).toBe("I count. More.");
  });

  it("shows a server error at its field", async () => {
    const fields = { handle: "This handle is taken. Please choose another." };
    responses.set("PUT /api/auth/profile", { status: 409, body: { code: "handle_taken", message: "Taken.", fields } });
    const { user } = await open();
    await user.type(screen.getByLabelText(/^Handle/), "2");
    await save(user);
    expect(await screen.findByText(fields.handle)).toBeTruthy();
    expect(screen.getByLabelText(/^Handle/).getAttribute("aria-invalid")).toBe("true");
  });

  it("shows SPEC's placeholder while profiles are off", async () => {
    responses.set("GET /api/config", { body: { firebase: null, stripe: null, flags: { userProfiles: false } } });
    renderApp("/profile", ADA);
    expect(await screen.findByText("Profile Management Coming Soon")).toBeTruthy();
  });

  it("shows a load error and retries", async () => {
    responses.set("GET /api/auth/profile", { status: 500 });
    renderApp("/profile", ADA);
    expect(await screen.findByText("We couldn't load your profile")).toBeTruthy();
    storeProfile();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByLabelText(/^Display name/)).toBeTruthy();
  });

  it("rejects files that are not images", async () => {
    await open();
    const file = new File(["<svg/>"], "me.svg", { type: "image/svg+xml" });
    await userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText("Photo file"), file);
    expect(
      await screen.findByText("Please choose a JPEG, PNG, WebP, GIF, AVIF or HEIC image up to 60 MB."),
    ).toBeTruthy();
  });

  it("crops a chosen image", async () => {
    const drawImage = vi.fn();
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({ fillRect: vi.fn(), drawImage } as never);
    const image = { width: 400, height: 300 };
    vi.stubGlobal("createImageBitmap", () => Promise.resolve(image));
    const { user } = await open();
    await user.upload(screen.getByLabelText("Photo file"), new File(["x"], "me.png", { type: "image/png" }));
    const slider = await screen.findByLabelText("Left to right");
    await waitFor(() => expect(drawImage).toHaveBeenLastCalledWith(image, 50, 0, 300, 300, 0, 0, 640, 640));
    fireEvent.change(slider, { target: { value: "0" } });
    await waitFor(() => expect(drawImage).toHaveBeenLastCalledWith(image, 0, 0, 300, 300, 0, 0, 640, 640));
  });
});

describe("unsaved changes", () => {
  const leaving = async (user: UserEvent) => {
    const menu = within(screen.getByRole("navigation", { name: "Main" }));
    await user.click(menu.getByRole("link", { name: "SkillShare" }));
  };
  const closing = () => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it("ask before leaving the page", async () => {
    const { user, router } = await open();
    expect(closing()).toBe(false);
    await user.type(screen.getByLabelText(/^Bio/), " More.");
    expect(closing()).toBe(true);
    await leaving(user);
    await screen.findByRole("alertdialog", { name: "Leave without saving?" });
    expect(router.state.location.pathname).toBe("/profile");
    await user.click(screen.getByRole("button", { name: "Stay on this page" }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Bio/).value).toBe("I count. More.");
    await leaving(user);
    await user.click(await screen.findByRole("button", { name: "Leave" }));
    // The page itself loads during the navigation.
    await waitFor(() => expect((router.state.navigation.location ?? router.state.location).pathname).toBe("/skills"));
    await waitFor(() => expect(closing()).toBe(false));
  });

  it("are gone after saving or signing out", async () => {
    const { user, router, change } = await open();
    await user.type(screen.getByLabelText(/^Bio/), " More.");
    await save(user);
    await screen.findByText("Profile updated successfully!");
    await waitFor(() => expect(closing()).toBe(false));
    await user.type(screen.getByLabelText(/^Bio/), " Even more.");
    change({ status: "signed-out", byUser: true });
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
});

describe("the account", () => {
  it("is deleted only with the confirmation and the password", async () => {
    const deleteAccount = vi.fn(() => Promise.resolve());
    renderApp("/profile", ADA, { deleteAccount });
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Delete my account" }));
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Delete permanently" });
    await user.type(screen.getByLabelText("Your password"), "secret1");
    expect(button.disabled).toBe(true);
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    await user.click(button);
    expect(await screen.findByText("Your account has been deleted.")).toBeTruthy();
    expect(deleteAccount).toHaveBeenCalledExactlyOnceWith("secret1");
  });

  it("is kept while money is open, and says why", async () => {
    const reason = "A payout is still on its way to your bank. You can delete your account once it has arrived.";
    renderApp("/profile", ADA, { deleteAccount: () => Promise.reject(new Error(reason)) });
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Delete my account" }));
    await user.type(screen.getByLabelText("Your password"), "secret1");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    await user.click(screen.getByRole("button", { name: "Delete permanently" }));
    expect(await screen.findByText(reason)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Your password").value).toBe("secret1");
  });

  it("changes its address after a password", async () => {
    const changeEmail = vi.fn(() => Promise.resolve());
    renderApp("/profile", ADA, { changeEmail });
    const user = userEvent.setup();
    const submit = async () => user.click(screen.getByRole("button", { name: "Change email address" }));
    await user.type(await screen.findByLabelText("New email address"), "ada@example");
    await submit();
    expect(await screen.findByText("Email is invalid")).toBeTruthy();
    expect(screen.getByText("Password is required")).toBeTruthy();
    await user.clear(screen.getByLabelText("New email address"));
    await user.type(screen.getByLabelText("New email address"), "ADA@example.com");
    expect(await screen.findByText("This is already your email address.")).toBeTruthy();
    await user.clear(screen.getByLabelText("New email address"));
    await user.type(screen.getByLabelText("New email address"), "countess@example.com");
    await user.type(screen.getByLabelText("Confirm with your password"), "secret1");
    await submit();
    expect(await screen.findByText(/^We sent a link to countess@example.com\./)).toBeTruthy();
    expect(changeEmail).toHaveBeenCalledExactlyOnceWith("secret1", "countess@example.com");
  });

  it("keeps the input if changing the address fails", async () => {
    const emailTaken = Object.assign(new Error("no"), { code: "auth/email-already-in-use" });
    renderApp("/profile", ADA, { changeEmail: () => Promise.reject(emailTaken) });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("New email address"), "bob@example.com");
    await user.type(screen.getByLabelText("Confirm with your password"), "secret1");
    await user.click(screen.getByRole("button", { name: "Change email address" }));
    expect(await screen.findByText("An account with this email already exists.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("New email address").value).toBe("bob@example.com");
  });

  it("lists its devices and signs one out", async () => {
    const device = { id: "s1", device: "Firefox on Linux", userAgent: "x", createdAt: "", expiresAt: "" };
    const times = { authenticatedAt: "2026-10-03T09:00:00Z", lastSeenAt: new Date().toISOString() };
    let sessions = [
      { ...device, ...times, current: true },
      { ...device, ...times, id: "s2", device: "Safari on iPhone", current: false },
    ];
    responses.set("GET /api/auth/sessions", () => ({ body: { sessions } }));
    responses.set("DELETE /api/auth/sessions/s2", { status: 503 });
    renderApp("/profile", ADA);
    const list = await screen.findByRole("region", { name: "Where you're signed in" });
    expect(await within(list).findByText("This device")).toBeTruthy();
    expect(within(list).getAllByText("Signed in Oct 3, 2026 · last seen just now")).toHaveLength(2);
    const signOut = within(list).getByRole("button", { name: /^Sign out on Safari on iPhone/ });
    await userEvent.click(signOut);
    expect(await screen.findByText("Failed to sign out: Server error. Please try again later.")).toBeTruthy();
    responses.set("DELETE /api/auth/sessions/s2", () => {
      sessions = sessions.slice(0, 1);
      return {};
    });
    await userEvent.click(signOut);
    expect(await screen.findByText("Signed out on Safari on iPhone.")).toBeTruthy();
    await waitFor(() => expect(within(list).queryByText("Safari on iPhone")).toBeNull());
  });

  it("shows a load error for devices", async () => {
    responses.set("GET /api/auth/sessions", { status: 503 });
    renderApp("/profile", ADA);
    expect(await screen.findByText("We couldn't load your devices")).toBeTruthy();
  });

  it("signs out everywhere, and shows errors", async () => {
    const signOutEverywhere = vi.fn(() => Promise.reject(new Error("the server is away")));
    renderApp("/profile", ADA, { signOutEverywhere });
    await userEvent.click(await screen.findByRole("button", { name: "Sign out everywhere" }));
    expect(await screen.findByText("Failed to sign out: the server is away")).toBeTruthy();
  });

  it("changes the password with the current one", async () => {
    const changePassword = vi.fn(() => Promise.resolve());
    renderApp("/profile", ADA, { changePassword });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Current password"), "secret1");
    await user.type(screen.getByLabelText("New password"), "short");
    await user.click(screen.getByRole("button", { name: "Change password" }));
    expect(await screen.findByText("Password must be at least 6 characters")).toBeTruthy();
    expect(changePassword).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText("New password"), "er");
    await user.click(screen.getByRole("button", { name: "Change password" }));
    expect(await screen.findByText("Password changed.")).toBeTruthy();
    expect(changePassword).toHaveBeenCalledExactlyOnceWith("secret1", "shorter");
  });

  it("exports all data as a file", async () => {
    responses.set("GET /api/auth/export", {});
    const createObjectURL = vi.fn(() => "blob:made");
    Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined });
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      names.push(`${this.href} ${this.download}`);
    });
    renderApp("/profile", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    await waitFor(() => expect(names).toEqual(["blob:made porchlight-my-data.zip"]));
    expect(createObjectURL).toHaveBeenCalledOnce();
  });
});
