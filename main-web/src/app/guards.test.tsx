import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, SIGNED_OUT, renderApp } from "@/testing/render-app";

const { responses } = apiServer();

describe("signed-in routes", () => {
  it.each(["/dashboard", "/profile"])("%s redirects a visitor to login and remembers the page", async (path) => {
    const { router } = renderApp(`${path}?a=1#b`);
    await screen.findByRole("heading", { level: 1, name: "Welcome back" });
    expect(router.state.location.pathname).toBe("/login");
    expect(router.state.location.state).toEqual({ from: `${path}?a=1#b` });
  });

  it("redirect home after signing out here", async () => {
    const { router, change } = renderApp("/profile", ADA);
    await screen.findByRole("heading", { level: 1, name: "Your profile" });
    change({ status: "signed-out", byUser: true });
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });

  it("redirect to login after the session ended elsewhere", async () => {
    const { router, change } = renderApp("/profile", ADA);
    await screen.findByRole("heading", { level: 1, name: "Your profile" });
    change(SIGNED_OUT);
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  });
});

describe("signed-out routes", () => {
  it.each(["/login", "/signup"])("%s redirects a signed-in user to the dashboard", async (path) => {
    const { router } = renderApp(path, ADA);
    await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
  });

  it.each([
    [{ pathname: "/login", state: { from: "/profile?x=1" } }, "/profile"],
    ["/login?next=%2Fprofile", "/profile"],
    ["/login?next=%2F%2Fe.example", "/dashboard"],
    ["/login?next=https%3A%2F%2Fe.example%2F", "/dashboard"],
    ["/login?next=%2Flogin", "/dashboard"],
    ["/signup?next=%2Fsignup%3Fnext%3D%252F", "/dashboard"],
  ])("after signing in at %j the user is at %s", async (at, path) => {
    const { router, change } = renderApp(at);
    await screen.findByRole("heading", { level: 1 });
    change(ADA);
    await waitFor(() => expect(router.state.location.pathname).toBe(path));
  });

  it("shows the message of the previous page", async () => {
    renderApp({ pathname: "/login", state: { message: "Sign in to find teachers." } });
    expect(await screen.findByText("Sign in to find teachers.")).toBeTruthy();
  });

  it.each([
    ["Please sign in to book Soup with Chef Guru.", true],
    ["Call 555 0100 to unlock your account", false],
    ["Please sign in to http://e.example", false],
    ["Please sign in to <b>x</b>", false],
  ])("message %j from the URL is shown: %s", async (message, isShown) => {
    renderApp(`/login?message=${encodeURIComponent(message)}`);
    await screen.findByRole("heading", { level: 1, name: "Welcome back" });
    expect(screen.queryByText(message) !== null).toBe(isShown);
  });
});

describe("the dashboard", () => {
  it("shows SPEC's placeholder while bookings are off", async () => {
    responses.set("GET /api/config", { body: { firebase: null, stripe: null, flags: { booking: false } } });
    renderApp("/dashboard", ADA);
    expect(await screen.findByText("Dashboard Coming Soon")).toBeTruthy();
  });

  it("greets the user and repeats the requested action", async () => {
    responses.set("GET /api/config", { body: { firebase: null, stripe: null, flags: { booking: true } } });
    renderApp("/dashboard?action=book-service&category=culinary&message=Book%20Soup%20with%20Chef%20Guru", ADA);
    expect(await screen.findByRole("heading", { level: 1, name: "Good to see you, Ada" })).toBeTruthy();
    expect(screen.getByText("Book Soup with Chef Guru")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Back to Angel's List" })).toBeTruthy();
  });

  it("asks to check the email after signing up", async () => {
    renderApp("/dashboard", { ...ADA, isNew: true });
    expect(
      await screen.findByText("Account created successfully! Please check your email to verify your account."),
    ).toBeTruthy();
  });
});
