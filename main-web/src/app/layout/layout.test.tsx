import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { OfflineBanner } from "./offline-banner";

apiServer();

const links = (nav: HTMLElement) =>
  within(nav)
    .getAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")]);

describe("the header", () => {
  it("shows visitors three areas, Sign In and Sign Up", async () => {
    renderApp("/about");
    const header = await screen.findByRole("banner");
    expect(links(within(header).getByRole("navigation", { name: "Main" }))).toEqual([
      ["Home", "/"],
      ["Angel's List", "/angels-list"],
      ["SkillShare", "/skills"],
    ]);
    expect(within(header).getByRole("link", { name: "Sign In" }).getAttribute("href")).toBe("/login");
    expect(within(header).getByRole("link", { name: "Sign Up" }).getAttribute("href")).toBe("/signup");
  });

  it("searches from every page but the search page", async () => {
    const { router } = renderApp("/about");
    const header = within(await screen.findByRole("banner"));
    expect(header.getByRole("link", { name: "Search" }).getAttribute("href")).toBe("/search");
    await userEvent.setup().type(header.getByRole("searchbox", { name: "Search Porchlight" }), "bread & butter{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/search"));
    expect(router.state.location.search).toBe("?q=bread%20%26%20butter");
    expect(await screen.findByRole("searchbox", { name: "What are you looking for?" })).toHaveProperty(
      "value",
      "bread & butter",
    );
    expect(screen.queryByRole("searchbox", { name: "Search Porchlight" })).toBeNull();
  });

  it("searches from the home page's hero", async () => {
    const { router } = renderApp("/");
    const field = await screen.findByRole("searchbox", { name: "What are you looking for?" });
    await userEvent.setup().type(field, "guitar");
    await userEvent.setup().click(within(field.closest("form") as HTMLElement).getByRole("button", { name: "Search" }));
    await waitFor(() => expect(router.state.location.search).toBe("?q=guitar"));
  });

  it("shows signed-in users the dashboard and their menu", async () => {
    const signOut = vi.fn(() => Promise.resolve());
    const { router } = renderApp("/about", ADA, { signOut });
    const header = await screen.findByRole("banner");
    expect(links(within(header).getByRole("navigation", { name: "Main" }))).toContainEqual(["Dashboard", "/dashboard"]);
    expect(within(header).queryByRole("link", { name: "Sign In" })).toBeNull();
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Account menu for Ada Lovelace" }));
    expect(screen.getAllByRole("menuitem").map((item) => item.textContent)).toEqual([
      "Profile",
      "Sessions",
      "Hours",
      "Orders",
      "Plan",
      "Sign Out",
    ]);
    await user.click(screen.getByRole("menuitem", { name: "Sign Out" }));
    expect(signOut).toHaveBeenCalledOnce();
    expect(await screen.findByText("Signed out successfully")).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });

  it("shows why signing out failed", async () => {
    const { router } = renderApp("/about", ADA, { signOut: () => Promise.reject(new Error("the door is stuck")) });
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Account menu for Ada Lovelace" }));
    await user.click(screen.getByRole("menuitem", { name: "Sign Out" }));
    expect(await screen.findByText("Failed to sign out: the door is stuck")).toBeTruthy();
    expect(router.state.location.pathname).toBe("/about");
  });

  it("closes the small-screen menu on Escape and navigation", async () => {
    renderApp("/about");
    const user = userEvent.setup();
    const toggle = await screen.findByRole("button", { name: "Open menu" });
    await user.click(toggle);
    expect(toggle.getAttribute("aria-expanded")).toBe("true");
    await user.keyboard("{Escape}");
    expect(toggle.getAttribute("aria-expanded")).toBe("false");
    expect(document.activeElement).toBe(toggle);
    await user.click(toggle);
    const panel = screen.getByRole("navigation", { name: "Main, small screen" });
    await user.click(within(panel).getByRole("link", { name: "Home" }));
    await waitFor(() => expect(toggle.getAttribute("aria-expanded")).toBe("false"));
  });
});

describe("the footer", () => {
  it("has SPEC's links, badges and year", async () => {
    renderApp("/about");
    const footer = await screen.findByRole("contentinfo");
    const hrefs = (group: string) => links(within(footer).getByRole("region", { name: group })).map(([, href]) => href);
    const nav = within(footer).getByRole("navigation", { name: "Footer" });
    expect([...hrefs("Platform"), ...hrefs("Company")]).toEqual([
      "/skills",
      "/angels-list",
      "/dashboard",
      "/about",
      "/how-it-works",
      "/pricing",
      "/privacy",
      "/terms",
    ]);
    expect(hrefs("Coming Soon").sort()).toEqual(
      ["/blog", "/success-stories", "/events", "/forum", "/mentorship", "/help", "/contact", "/safety"].sort(),
    );
    expect(within(nav).getAllByText("Coming Soon")).toHaveLength(1);
    expect(within(footer).getByText(/2024/)).toBeTruthy();
    expect(within(footer).queryAllByRole("link", { name: /coming soon\)/ })).toEqual([]);
  });
});

describe("navigation", () => {
  it("sets the title and moves focus to the heading", async () => {
    const { router } = renderApp("/about");
    await screen.findByRole("heading", { level: 1 });
    await waitFor(() => expect(document.title).toBe("About · Porchlight"));
    expect(document.activeElement).toBe(document.body);
    await act(() => router.navigate("/how-it-works"));
    const heading = await screen.findByRole("heading", { level: 1, name: "How It Works" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(document.title).toBe("How It Works · Porchlight");
    expect(document.querySelector('meta[name="description"]')?.getAttribute("content")).toContain("four steps");
  });

  it("redirects unknown paths home", async () => {
    const { router } = renderApp("/no/such/page");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });

  it.each([
    ["/privacy", "Privacy Policy"],
    ["/privacy_policy", "Privacy Policy"],
    ["/terms", "Terms and Conditions"],
    ["/terms_and_conditions", "Terms and Conditions"],
  ])("%s shows %s with its date", async (path, title) => {
    renderApp(path);
    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeTruthy();
    expect(screen.getByText("Last updated: December 2024")).toBeTruthy();
  });

  it.each([
    ["/help", "Help Center"],
    ["/contact", "Contact Us"],
    ["/safety", "Safety & Trust"],
    ["/blog", "Blog"],
    ["/success-stories", "Success Stories"],
    ["/events", "Community Events"],
    ["/forum", "Discussion Forum"],
    ["/mentorship", "Mentorship Program"],
  ])("%s announces %s with a list of features", async (path, title) => {
    renderApp(path);
    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeTruthy();
    const main = screen.getByRole("main");
    expect(within(main).getByText("Coming Soon")).toBeTruthy();
    expect(within(main).getAllByRole("listitem").length).toBeGreaterThanOrEqual(4);
  });
});

describe("the offline banner", () => {
  it("follows the connection", () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
    render(<OfflineBanner />);
    expect(screen.queryByText(/You're offline/)).toBeNull();
    online.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event("offline")));
    expect(screen.getByText(/You're offline/)).toBeTruthy();
    online.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event("online")));
    expect(screen.queryByText(/You're offline/)).toBeNull();
  });
});
