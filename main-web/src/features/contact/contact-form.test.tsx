import { screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "../../testing/api-server";
import { renderApp } from "../../testing/render-app";

const { answers, calls } = apiServer();
const ROUTE = "POST /api/contact";

async function fillIn(user: UserEvent) {
  await user.type(await screen.findByLabelText("Your name"), "Ada");
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Subject"), "Boiler");
  await user.type(screen.getByLabelText("Message"), "It is broken.");
}

const press = (user: UserEvent) => user.click(screen.getByRole("button", { name: "Send message" }));
const sent = () => calls.filter((call) => call.route === ROUTE);

describe.each(["/contact", "/help"])("the contact form on %s", (path) => {
  it("sends what was typed, with a key and an empty honeypot, and thanks", async () => {
    answers.set(ROUTE, { status: 201 });
    renderApp(path);
    const user = userEvent.setup();
    await fillIn(user);
    await press(user);
    expect(await screen.findByText("Your message is with us")).toBeTruthy();
    expect(sent()).toHaveLength(1);
    expect(sent()[0]?.body).toEqual({
      name: "Ada",
      email: "ada@example.com",
      subject: "Boiler",
      message: "It is broken.",
      website: "",
    });
    expect(sent()[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("asks for what is missing and sends nothing", async () => {
    renderApp(path);
    const user = userEvent.setup();
    await screen.findByLabelText("Your name");
    await press(user);
    for (const words of [
      "Please tell us your name",
      "Please tell us where to answer",
      "Please give it a subject",
      "Please write a message",
    ]) {
      expect(await screen.findByText(words)).toBeTruthy();
    }
    expect(sent()).toEqual([]);
  });

  it("keeps what was typed when sending fails, and repeats under the same key", async () => {
    answers.set(ROUTE, { status: 503 });
    renderApp(path);
    const user = userEvent.setup();
    await fillIn(user);
    await press(user);
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Message").value).toBe("It is broken.");
    answers.set(ROUTE, { status: 201 });
    await press(user);
    expect(await screen.findByText("Your message is with us")).toBeTruthy();
    const keys = sent().map((call) => call.headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it("shows the server's refusal at its field", async () => {
    const body = { code: "validation_failed", message: "Please check the form.", fields: { subject: "Too mysterious" } };
    answers.set(ROUTE, { status: 422, body });
    renderApp(path);
    const user = userEvent.setup();
    await fillIn(user);
    await press(user);
    expect(await screen.findByText("Too mysterious")).toBeTruthy();
    expect(screen.getByLabelText("Subject").getAttribute("aria-invalid")).toBe("true");
  });
});
