import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Profile } from "../../kit/session/profile";
import { apiServer } from "../../testing/api-server";
import { ADA, renderApp } from "../../testing/render-app";

const { answers, calls } = apiServer();

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
const reads = () => calls.filter((call) => call.route === "GET /api/auth/profile");
const save = (user: UserEvent) => user.click(screen.getByRole("button", { name: "Save profile" }));

/** A server that keeps what it is sent. */
function keep() {
  let stored = PROFILE;
  answers.set("GET /api/auth/profile", () => ({ body: stored }));
  answers.set("GET /api/auth/sessions", { body: { sessions: [] } });
  answers.set("PUT /api/auth/profile", ({ body }) => {
    stored = { ...stored, ...(body as Partial<Profile>) };
    return { body: stored };
  });
}

beforeEach(keep);

async function open() {
  const app = renderApp("/profile", ADA);
  await screen.findByLabelText(/^Display name/);
  return { ...app, user: userEvent.setup() };
}

describe("one's own profile", () => {
  it("sends what was changed and nothing else, says so, and fetches it anew", async () => {
    const { user } = await open();
    const before = reads().length;
    await user.type(screen.getByLabelText(/^Bio/), " And weave.");
    await user.click(screen.getByRole("switch", { name: "Show when I have time" }));
    await save(user);
    expect(await screen.findByText("Profile updated successfully!")).toBeTruthy();
    expect(puts()).toHaveLength(1);
    expect(puts()[0]?.body).toEqual({
      bio: "I count. And weave.",
      privacy: { ...PROFILE.privacy, showAvailability: true },
    });
    await waitFor(() => expect(reads()).toHaveLength(before + 1));
  });

  it("takes skills from the keyboard alone, and leaves empty rows out", async () => {
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

  it("refuses what the server would, before it is sent", async () => {
    const { user } = await open();
    await user.clear(screen.getByLabelText(/^Display name/));
    await user.clear(screen.getByLabelText(/^Handle/));
    await user.type(screen.getByLabelText(/^Handle/), "Ada--L");
    await user.type(screen.getByLabelText(/^Location/), " 80202");
    await save(user);
    for (const words of [
      "Neighbors need a name to call you by",
      "Use 3 to 40 small letters, digits and single hyphens",
      "City and state are enough: no street or number",
    ]) {
      expect(await screen.findByText(words)).toBeTruthy();
    }
    expect(puts()).toEqual([]);
  });

  it.each([
    [503, {}, "Failed to update profile"],
    [404, {}, "API not configured"],
  ])("that could not be saved (%s) says so and loses nothing", async (status, body, words) => {
    answers.set("PUT /api/auth/profile", { status, body });
    const { user } = await open();
    await user.type(screen.getByLabelText(/^Bio/), " More.");
    await save(user);
    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Bio/).value).toBe("I count. More.");
  });

  it("shows the server's refusal at its field", async () => {
    const fields = { handle: "This handle is taken. Please choose another." };
    answers.set("PUT /api/auth/profile", { status: 409, body: { code: "handle_taken", message: "Taken.", fields } });
    const { user } = await open();
    await user.type(screen.getByLabelText(/^Handle/), "2");
    await save(user);
    expect(await screen.findByText(fields.handle)).toBeTruthy();
    expect(screen.getByLabelText(/^Handle/).getAttribute("aria-invalid")).toBe("true");
  });

  it("is SPEC's placeholder while profiles are off", async () => {
    answers.set("GET /api/config", { body: { firebase: null, stripe: null, flags: { userProfiles: false } } });
    renderApp("/profile", ADA);
    expect(await screen.findByText("Profile Management Coming Soon")).toBeTruthy();
  });

  it("that cannot be had offers another try", async () => {
    answers.set("GET /api/auth/profile", { status: 500 });
    renderApp("/profile", ADA);
    expect(await screen.findByText("Your profile is out of reach")).toBeTruthy();
    keep();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByLabelText(/^Display name/)).toBeTruthy();
  });

  it("takes no file that is no picture", async () => {
    await open();
    const file = new File(["<svg/>"], "me.svg", { type: "image/svg+xml" });
    await userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText("Photo file"), file);
    expect(await screen.findByText("Please choose a JPEG, PNG or WebP picture of at most 8 MB.")).toBeTruthy();
  });

  it("draws a chosen picture into the square, and again where it is moved to", async () => {
    const drawImage = vi.fn();
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({ fillRect: vi.fn(), drawImage } as never);
    const picture = { width: 400, height: 300 };
    vi.stubGlobal("createImageBitmap", () => Promise.resolve(picture));
    const { user } = await open();
    await user.upload(screen.getByLabelText("Photo file"), new File(["x"], "me.png", { type: "image/png" }));
    const slider = await screen.findByLabelText("Left to right");
    expect(drawImage).toHaveBeenLastCalledWith(picture, 50, 0, 300, 300, 0, 0, 640, 640);
    fireEvent.change(slider, { target: { value: "0" } });
    expect(drawImage).toHaveBeenLastCalledWith(picture, 0, 0, 300, 300, 0, 0, 640, 640);
  });
});

describe("what is not saved", () => {
  const leaving = async (user: UserEvent) => {
    const menu = within(screen.getByRole("navigation", { name: "Main" }));
    await user.click(menu.getByRole("link", { name: "SkillShare" }));
  };
  const closing = () => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it("is asked about before another page, and kept by who stays", async () => {
    const { user, router } = await open();
    expect(closing()).toBe(false);
    await user.type(screen.getByLabelText(/^Bio/), " More.");
    expect(closing()).toBe(true);
    await leaving(user);
    await screen.findByRole("dialog", { name: "Leave without saving?" });
    expect(router.state.location.pathname).toBe("/profile");
    await user.click(screen.getByRole("button", { name: "Stay on this page" }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Bio/).value).toBe("I count. More.");
    await leaving(user);
    await user.click(await screen.findByRole("button", { name: "Leave" }));
    // The page itself is fetched on the way there.
    await waitFor(() => expect((router.state.navigation.location ?? router.state.location).pathname).toBe("/skills"));
    await waitFor(() => expect(closing()).toBe(false));
  });

  it("is nothing once it is saved, and holds nobody who signs out", async () => {
    const { user, router, change } = await open();
    await user.type(screen.getByLabelText(/^Bio/), " More.");
    await save(user);
    await screen.findByText("Profile updated successfully!");
    await waitFor(() => expect(closing()).toBe(false));
    await user.type(screen.getByLabelText(/^Bio/), " Even more.");
    change({ status: "signed-out", left: true });
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("the account", () => {
  it("is deleted after the typed word and the password only", async () => {
    const deleteAccount = vi.fn(() => Promise.resolve());
    renderApp("/profile", ADA, { deleteAccount });
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Delete my account" }));
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Delete for good" });
    await user.type(screen.getByLabelText("Your password"), "secret1");
    expect(button.disabled).toBe(true);
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    await user.click(button);
    expect(deleteAccount).toHaveBeenCalledExactlyOnceWith("secret1");
    expect(await screen.findByText("Your account has been deleted.")).toBeTruthy();
  });

  it("gets another address once the link is asked for, with the password", async () => {
    const changeEmail = vi.fn(() => Promise.resolve());
    renderApp("/profile", ADA, { changeEmail });
    const user = userEvent.setup();
    const press = async () => user.click(screen.getByRole("button", { name: "Change email address" }));
    await user.type(await screen.findByLabelText("New email address"), "ada@example");
    await press();
    expect(await screen.findByText("Email is invalid")).toBeTruthy();
    expect(screen.getByText("Password is required")).toBeTruthy();
    await user.clear(screen.getByLabelText("New email address"));
    await user.type(screen.getByLabelText("New email address"), "ADA@example.com");
    expect(await screen.findByText("This is your address already.")).toBeTruthy();
    await user.clear(screen.getByLabelText("New email address"));
    await user.type(screen.getByLabelText("New email address"), "countess@example.com");
    await user.type(screen.getByLabelText("Confirm with your password"), "secret1");
    await press();
    expect(await screen.findByText(/^We sent a link to countess@example.com\./)).toBeTruthy();
    expect(changeEmail).toHaveBeenCalledExactlyOnceWith("secret1", "countess@example.com");
  });

  it("keeps what was typed when another address could not be had", async () => {
    const taken = Object.assign(new Error("no"), { code: "auth/email-already-in-use" });
    renderApp("/profile", ADA, { changeEmail: () => Promise.reject(taken) });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("New email address"), "bob@example.com");
    await user.type(screen.getByLabelText("Confirm with your password"), "secret1");
    await user.click(screen.getByRole("button", { name: "Change email address" }));
    expect(await screen.findByText("An account with this email already exists.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("New email address").value).toBe("bob@example.com");
  });

  it("lists where it is signed in, and signs out there", async () => {
    const device = { id: "s1", device: "Firefox on Linux", userAgent: "x", createdAt: "", expiresAt: "" };
    const times = { authenticatedAt: "2026-10-03T09:00:00Z", lastSeenAt: new Date().toISOString() };
    let sessions = [
      { ...device, ...times, current: true },
      { ...device, ...times, id: "s2", device: "Safari on iPhone", current: false },
    ];
    answers.set("GET /api/auth/sessions", () => ({ body: { sessions } }));
    answers.set("DELETE /api/auth/sessions/s2", () => {
      sessions = sessions.slice(0, 1);
      return {};
    });
    renderApp("/profile", ADA);
    const list = await screen.findByRole("region", { name: "Where you are signed in" });
    expect(await within(list).findByText("This device")).toBeTruthy();
    expect(within(list).getAllByText("Signed in Oct 3, 2026 · last seen just now")).toHaveLength(2);
    await userEvent.click(within(list).getByRole("button", { name: /^Sign out on Safari on iPhone/ }));
    expect(await screen.findByText("Signed out on Safari on iPhone.")).toBeTruthy();
    await waitFor(() => expect(within(list).queryByText("Safari on iPhone")).toBeNull());
  });

  it("says when its devices cannot be had", async () => {
    answers.set("GET /api/auth/sessions", { status: 503 });
    renderApp("/profile", ADA);
    expect(await screen.findByText("Your devices are out of reach")).toBeTruthy();
  });

  it("signs out everywhere, and says why when it could not", async () => {
    const signOutEverywhere = vi.fn(() => Promise.reject(new Error("the server is away")));
    renderApp("/profile", ADA, { signOutEverywhere });
    await userEvent.click(await screen.findByRole("button", { name: "Sign out everywhere" }));
    expect(await screen.findByText("Failed to sign out: the server is away")).toBeTruthy();
  });

  it("changes the password with the present one", async () => {
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

  it("hands out everything that is held as a file", async () => {
    answers.set("GET /api/auth/export", {});
    const made = vi.fn(() => "blob:made");
    Object.assign(URL, { createObjectURL: made, revokeObjectURL: () => undefined });
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      names.push(`${this.href} ${this.download}`);
    });
    renderApp("/profile", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Export my data" }));
    await waitFor(() => expect(names).toEqual(["blob:made porchlight-my-data.zip"]));
    expect(made).toHaveBeenCalledOnce();
  });
});

describe("a neighbor's page", () => {
  it("shows what they let others see", async () => {
    const { handle, displayName, bio, location, photoURL, skills, languages } = PROFILE;
    const body = { handle, displayName, bio, location, photoURL, skills, languages, availability: "", memberSince: PROFILE.createdAt };
    answers.set("GET /api/users/ada-lovelace", { body });
    renderApp("/u/ada-lovelace");
    expect(await screen.findByRole("heading", { level: 1, name: "Ada Lovelace" })).toBeTruthy();
    expect(screen.getByText("@ada-lovelace · neighbor since Oct 3, 2026")).toBeTruthy();
    expect(screen.getByText("Denver, Colorado")).toBeTruthy();
    expect(screen.getByText("Knitting")).toBeTruthy();
    expect(screen.queryByText("Would like to learn")).toBeNull();
  });

  it("that is unknown is told kindly, without another try", async () => {
    answers.set("GET /api/users/nobody", { status: 404, body: { code: "not_found", message: "Not found." } });
    renderApp("/u/nobody");
    expect(await screen.findByRole("heading", { level: 1, name: "No such neighbor" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("that cannot be had offers another try", async () => {
    answers.set("GET /api/users/ada-lovelace", { status: 503 });
    renderApp("/u/ada-lovelace");
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });
});
