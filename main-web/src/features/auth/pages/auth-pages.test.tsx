import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { HOLD } from "@/features/bookings/pages/book-page-fixtures";
import { forgetHeldBooking, rememberHeldBooking } from "@/lib/held-booking";
import { renderApp } from "@/testing/render-app";
import { ApiError } from "@porchlight/shared/client";

const { responses, calls } = apiServer();

const firebaseError = (code: string) => Object.assign(new Error("Firebase: words"), { code: `auth/${code}` });
const field = (name: string) => screen.getByLabelText(name, { selector: "input" });

describe("login", () => {
  it("requires both fields, and clears an error on edit", async () => {
    renderApp("/login");
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Email is required")).toBeTruthy();
    expect(screen.getByText("Password is required")).toBeTruthy();
    await user.type(field("Email"), "a");
    await waitFor(() => expect(screen.queryByText("Email is required")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Invalid email address")).toBeTruthy();
    expect(field("Email").getAttribute("aria-invalid")).toBe("true");
  });

  it("signs in with the typed credentials", async () => {
    const signIn = vi.fn(() => Promise.resolve());
    renderApp("/login", undefined, { signIn });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), " ada@example.com ");
    await user.type(field("Password"), " secret ");
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Welcome back!")).toBeTruthy();
    expect(signIn).toHaveBeenCalledExactlyOnceWith("ada@example.com", " secret ");
  });

  it("shows the message for the code and focuses the password", async () => {
    renderApp("/login", undefined, { signIn: () => Promise.reject(firebaseError("wrong-password")) });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), "ada@example.com");
    await user.type(field("Password"), "wrong");
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Incorrect password. Please try again.")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field("Password")));
  });

  it("shows and hides the password", async () => {
    renderApp("/login");
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Show password" }));
    expect(field("Password").getAttribute("type")).toBe("text");
    await user.click(screen.getByRole("button", { name: "Hide password" }));
    expect(field("Password").getAttribute("type")).toBe("password");
  });

  it("links to password reset and signup, keeping the target", async () => {
    renderApp("/login?next=%2Fprofile");
    const forgot = await screen.findByRole("link", { name: "Forgot your password?" });
    expect(forgot.getAttribute("href")).toBe("/forgot-password");
    expect(screen.getByRole("link", { name: "Create an account" }).getAttribute("href")).toBe(
      "/signup?next=%2Fprofile",
    );
  });

  it("signs in with Google", async () => {
    renderApp("/login", undefined, { signInWithGoogle: () => Promise.resolve() });
    await userEvent.setup().click(await screen.findByRole("button", { name: "Continue with Google" }));
    expect(await screen.findByText("Signed in with Google!")).toBeTruthy();
  });

  it("shows that the Google popup was closed", async () => {
    renderApp("/login", undefined, { signInWithGoogle: () => Promise.reject(firebaseError("popup-closed-by-user")) });
    await userEvent.setup().click(await screen.findByRole("button", { name: "Continue with Google" }));
    expect(await screen.findByText("Sign-in cancelled. Please try again.")).toBeTruthy();
  });
});

describe("signing in with a code", () => {
  const CODES = "POST /api/auth/codes";
  const HOLD_TOKEN = "h-1";
  const send = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(await screen.findByRole("button", { name: "Email me a code instead" }));
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), " ada@example.com ");
    await user.click(screen.getByRole("button", { name: "Email me a code" }));
    return screen.findByLabelText<HTMLInputElement>("6-digit code");
  };

  it("sends the digits once they are complete", async () => {
    responses.set(CODES, { status: 202, body: { id: "c1", secondsLeft: 600 } });
    const signInWithCode = vi.fn(() => Promise.resolve({ isNew: true }));
    renderApp("/login", undefined, { signInWithCode });
    const user = userEvent.setup();
    const digits = await send(user);
    expect(calls.find(({ route }) => route === CODES)?.body).toEqual({ email: "ada@example.com" });
    expect(screen.getByText(/^We sent a code to/).textContent).toContain("ada@example.com");
    await waitFor(() => expect(document.activeElement).toBe(digits));
    await user.type(digits, "12 34 56");
    expect(await screen.findByText("Account created successfully!")).toBeTruthy();
    expect(signInWithCode).toHaveBeenCalledExactlyOnceWith({ id: "c1", digits: "123456" });
  });

  it("says how many tries are left, and sends a new code", async () => {
    responses.set(CODES, { status: 202, body: { id: "c1", secondsLeft: 600 } });
    const fields = { code: "That's not the code. 4 tries left." };
    const signInWithCode = vi.fn(() => Promise.reject(new ApiError("Please check.", 422, "validation_failed", fields)));
    renderApp("/login", undefined, { signInWithCode });
    const user = userEvent.setup();
    const digits = await send(user);
    await user.type(digits, "12345");
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    expect(await screen.findByText("Type the 6 digits from the email.")).toBeTruthy();
    await user.type(digits, "6");
    expect(await screen.findByText("That's not the code. 4 tries left.")).toBeTruthy();
    expect(digits.getAttribute("aria-invalid")).toBe("true");
    responses.set(CODES, { status: 202, body: { id: "c2", secondsLeft: 600 } });
    await user.click(screen.getByRole("button", { name: "Send a new code" }));
    expect(await screen.findByText("We sent you a new code.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("6-digit code").value).toBe("");
  });

  it("keeps the address when it is to be changed, and goes back to the password", async () => {
    responses.set(CODES, { status: 202, body: { id: "c1", secondsLeft: 600 } });
    renderApp("/login");
    const user = userEvent.setup();
    await send(user);
    await user.click(screen.getByRole("button", { name: "Use another email" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Email", { selector: "input" })).value).toBe(
      "ada@example.com",
    );
    await user.click(screen.getByRole("button", { name: "Use a password instead" }));
    expect(await screen.findByLabelText("Password", { selector: "input" })).toBeTruthy();
  });

  it("shows why no code was sent", async () => {
    const fields = { email: "Email can't reach this address." };
    responses.set(CODES, { status: 422, body: { code: "email_unusable", message: fields.email, fields } });
    renderApp("/login");
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Email me a code instead" }));
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), "ada@example.com");
    await user.click(screen.getByRole("button", { name: "Email me a code" }));
    expect(await screen.findByText(fields.email)).toBeTruthy();
  });

  it("comes first for someone who keeps a time, and shows the time", async () => {
    const hold = {
      ...HOLD,
      serviceName: "First Mug",
      guruName: "Ines Fontaine",
      expiresAt: "2027-01-01T00:00:00Z",
      secondsLeft: 568,
    };
    responses.set(`GET /api/holds/${HOLD_TOKEN}`, { body: hold });
    renderApp(`/login?next=%2Fbook%2F${HOLD_TOKEN}`);
    expect(await screen.findByRole("heading", { name: "Sign in to book" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Email me a code" })).toBeTruthy();
    const held = await screen.findByRole("region", { name: "What you're booking" });
    await waitFor(() => expect(held.textContent).toMatch(/First Mug.*with Ines Fontaine/));
    expect(within(held).getByRole("timer").textContent).toMatch(/^9:2\d$/);
  });
});

describe("signup", () => {
  it("names what is being booked", async () => {
    responses.set("GET /api/holds/h-4", { body: HOLD });
    renderApp("/signup?next=%2Fbook%2Fh-4");
    const name = "Create your account to book Knife Skills, Tue, Mar 2, 9:00 AM MST";
    expect(await screen.findByRole("heading", { level: 1, name })).toBeTruthy();
    expect(await screen.findByRole("region", { name: "What you're booking" })).toBeTruthy();
  });

  it("requires all fields", async () => {
    renderApp("/signup");
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Create Account" }));
    for (const text of [
      "First name is required",
      "Last name is required",
      "Email is required",
      "Password is required",
    ]) {
      expect(await screen.findByText(text)).toBeTruthy();
    }
    expect(screen.queryByText("Passwords do not match")).toBeNull();
  });

  it("checks email, length and confirmation together", async () => {
    renderApp("/signup");
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("First name"), "Ada");
    await user.type(field("Last name"), "Lovelace");
    await user.type(field("Email"), "ada@example");
    await user.type(field("Password"), "12345");
    await user.type(field("Confirm password"), "1234");
    await user.click(screen.getByRole("button", { name: "Create Account" }));
    for (const text of ["Email is invalid", "Password must be at least 6 characters", "Passwords do not match"]) {
      expect(await screen.findByText(text)).toBeTruthy();
    }
    await user.clear(field("Password"));
    await user.type(field("Password"), "1234");
    expect(screen.queryByText("Passwords do not match")).toBeNull();
  });

  it("creates the account with trimmed names", async () => {
    const signUp = vi.fn(() => Promise.resolve());
    renderApp("/signup", undefined, { signUp });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("First name"), " Ada ");
    await user.type(field("Last name"), "Lovelace");
    await user.type(field("Email"), "ada@example.com");
    await user.type(field("Password"), "123456");
    await user.type(field("Confirm password"), "123456");
    await user.click(screen.getByRole("button", { name: "Create Account" }));
    expect(await screen.findByText("Account created successfully!")).toBeTruthy();
    expect(signUp).toHaveBeenCalledExactlyOnceWith({
      firstName: "Ada",
      lastName: "Lovelace",
      email: "ada@example.com",
      password: "123456",
    });
  });
});

describe("forgotten password", () => {
  it("sends the email and confirms it", async () => {
    renderApp("/forgot-password", undefined, { sendPasswordReset: () => Promise.resolve() });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), "ada@example.com");
    await user.click(screen.getByRole("button", { name: "Send reset link" }));
    expect(await screen.findByText("Password reset email sent! Check your inbox.")).toBeTruthy();
  });

  it("shows why it failed", async () => {
    renderApp("/forgot-password", undefined, {
      sendPasswordReset: () => Promise.reject(firebaseError("too-many-requests")),
    });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Email", { selector: "input" }), "ada@example.com");
    await user.click(screen.getByRole("button", { name: "Send reset link" }));
    expect(
      await screen.findByText("Failed to send password reset email: Too many failed attempts. Please try again later."),
    ).toBeTruthy();
  });
});

describe("links in account emails", () => {
  it("confirm an address only after a click", async () => {
    const used: string[] = [];
    const applyMailCode = (code: string) => Promise.resolve(void used.push(code));
    renderApp("/auth/action?mode=verifyEmail&oobCode=c0de", undefined, { applyMailCode });
    const button = await screen.findByRole("button", { name: "Yes, confirm" });
    expect(used).toEqual([]);
    await userEvent.setup().click(button);
    expect(await screen.findByText("Thanks! Your email address is confirmed.")).toBeTruthy();
    expect(used).toEqual(["c0de"]);
  });

  it("lead back to the booking that began in another tab, while it is held", async () => {
    rememberHeldBooking("h-2", Date.now() + 432_000);
    onTestFinished(forgetHeldBooking);
    responses.set("GET /api/holds/h-2", { body: { ...HOLD, expiresAt: "2027-01-01T00:00:00Z", secondsLeft: 432 } });
    const { router } = renderApp("/auth/action?mode=verifyEmail&oobCode=c0de", undefined, {
      applyMailCode: () => Promise.resolve(),
    });
    await userEvent.setup().click(await screen.findByRole("button", { name: "Yes, confirm" }));
    const back = await screen.findByRole("link", { name: "Back to your booking" });
    expect(screen.getByRole("timer").textContent).toMatch(/^7:1\d$/);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Email confirmed");
    expect(document.title).toContain("Email confirmed");
    await userEvent.setup().click(back);
    await waitFor(() => expect(router.state.location.state).toMatchObject({ from: "/book/h-2" }));
  });

  it.each([
    ["the hold has ended", { body: { ...HOLD, status: "expired", expiresAt: null, secondsLeft: 0 } }],
    ["the time was booked", { status: 404, body: { code: "not_found", message: "No." } }],
  ])("lead to the sign-in page once %s", async (_why, answer) => {
    rememberHeldBooking("h-3", Date.now() + 432_000);
    onTestFinished(forgetHeldBooking);
    responses.set("GET /api/holds/h-3", answer);
    renderApp("/auth/action?mode=verifyEmail&oobCode=c0de", undefined, { applyMailCode: () => Promise.resolve() });
    await userEvent.setup().click(await screen.findByRole("button", { name: "Yes, confirm" }));
    expect(await screen.findByRole("link", { name: "Sign in" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Back to your booking" })).toBeNull();
  });

  it("show that they expired, and how to get new ones", async () => {
    const setForgottenPassword = () => Promise.reject(firebaseError("expired-action-code"));
    renderApp("/auth/action?mode=resetPassword&oobCode=old", undefined, { setForgottenPassword });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("New password", { selector: "input" }), "brand new");
    await user.type(screen.getByLabelText("Confirm password", { selector: "input" }), "brand news");
    await user.click(screen.getByRole("button", { name: "Set password" }));
    expect(await screen.findByText("Passwords do not match")).toBeTruthy();
    await user.type(screen.getByLabelText("New password", { selector: "input" }), "s");
    await user.click(screen.getByRole("button", { name: "Set password" }));
    expect(
      await screen.findByText("This link has expired or was already used. Please request a new one."),
    ).toBeTruthy();
    expect(screen.getByRole("link", { name: "Request a new link" }).getAttribute("href")).toBe("/forgot-password");
  });
});
