import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";

apiServer();

const linkIn = (name: string) => within(screen.getByRole("main")).getByRole("link", { name }).getAttribute("href");

describe("the about page", () => {
  it("has its four sections and links to the contact form", async () => {
    renderApp("/about");
    for (const name of ["Our company", "Our values", "The founder", "Get in touch"]) {
      expect(await screen.findByRole("heading", { level: 2, name })).toBeTruthy();
    }
    expect(linkIn("Contact us")).toBe("/contact");
    expect(linkIn("How It Works")).toBe("/how-it-works");
  });
});

describe("how it works", () => {
  it("explains SPEC's four steps in order", async () => {
    renderApp("/how-it-works");
    const steps = within(await screen.findByRole("region", { name: "Four simple steps" }));
    expect(steps.getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent)).toEqual([
      "Create Your Profile",
      "Browse & Connect",
      "Book Sessions",
      "Learn & Earn",
    ]);
    expect(linkIn("Create a free account")).toBe("/signup");
    expect(linkIn("See pricing")).toBe("/pricing");
  });
});
