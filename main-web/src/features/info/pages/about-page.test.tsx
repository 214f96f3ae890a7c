import { screen, waitFor } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const OPERATOR = { name: "Porch Co-op", address: "1 Elm Street, Denver, CO", phone: "", email: "hi@porch.example" };

// Import before the first test's timeout starts.
beforeAll(() => import("./about-page"), 60_000);

const serve = (operator: object) =>
  responses.set("GET /api/config", { body: { operator, firebase: null, stripe: null, flags: {} } });

describe("the contact details on /about", () => {
  it("are the operator's", async () => {
    serve({ ...OPERATOR, phone: "+1 303 555 0100" });
    renderApp("/about");
    expect((await screen.findByRole("link", { name: "hi@porch.example" })).getAttribute("href")).toBe(
      "mailto:hi@porch.example",
    );
    expect(screen.getByRole("link", { name: "+1 303 555 0100" }).getAttribute("href")).toBe("tel:+13035550100");
    expect(screen.getByText("Porch Co-op")).toBeTruthy();
    expect(screen.getByText("1 Elm Street, Denver, CO")).toBeTruthy();
  });

  it("leave out what the settings do not say", async () => {
    serve({ ...OPERATOR, name: "", address: "" });
    renderApp("/about");
    const email = await screen.findByRole("link", { name: "hi@porch.example" });
    expect(email.closest("address")?.textContent).toBe("hi@porch.example");
  });

  it("give way to the contact page without an answer", async () => {
    responses.set("GET /api/config", { status: 503 });
    renderApp("/about");
    await waitFor(() => expect(calls.some(({ route }) => route === "GET /api/config")).toBe(true));
    expect((await screen.findByRole("link", { name: "Contact us" })).getAttribute("href")).toBe("/contact");
  });
});
