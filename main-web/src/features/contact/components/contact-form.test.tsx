import { screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const ROUTE = "POST /api/contact";

async function fillIn(user: UserEvent) {
  await user.type(await screen.findByLabelText("Your name"), "Ada");
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Subject"), "Boiler");
  await user.type(screen.getByLabelText("Message"), "It is broken.");
}

const submit = (user: UserEvent) => user.click(screen.getByRole("button", { name: "Send message" }));
const sentMessages = () => calls.filter((call) => call.route === ROUTE);

describe.each(["/contact", "/help"])("the contact form on %s", (path) => {
  it("sends the message with a key and an empty honeypot", async () => {
    responses.set(ROUTE, { status: 201 });
    renderApp(path);
    const user = userEvent.setup();
    await fillIn(user);
    await submit(user);
    expect(await screen.findByText("We got your message")).toBeTruthy();
    expect(sentMessages()).toHaveLength(1);
    expect(sentMessages()[0]?.body).toEqual({
      name: "Ada",
      email: "ada@example.com",
      subject: "Boiler",
      message: "It is broken.",
      website: "",
    });
    expect(sentMessages()[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("shows missing fields and sends nothing", async () => {
    renderApp(path);
    const user = userEvent.setup();
    await screen.findByLabelText("Your name");
    await submit(user);
    for (const text of [
      "Please tell us your name",
      "Please enter your email address",
      "Please enter a subject",
      "Please write a message",
    ]) {
      expect(await screen.findByText(text)).toBeTruthy();
    }
    expect(sentMessages()).toEqual([]);
  });

  it("keeps the input on errors and retries with the same key", async () => {
    responses.set(ROUTE, { status: 503 });
    renderApp(path);
    const user = userEvent.setup();
    await fillIn(user);
    await submit(user);
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Message").value).toBe("It is broken.");
    responses.set(ROUTE, { status: 201 });
    await submit(user);
    expect(await screen.findByText("We got your message")).toBeTruthy();
    const keys = sentMessages().map((call) => call.headers["idempotency-key"]);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it("solves a challenge of a flood and sends the message again with the same key", async () => {
    const challenge = `4.1764111111.${"5e".repeat(16)}`;
    const waiting: (() => void)[] = [];
    responses.set(ROUTE, async (call) => {
      if (call.headers["porchlight-proof"] === undefined)
        return { status: 429, body: { code: "proof_required", message: "Busy", challenge } };
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { status: 201 };
    });
    renderApp(path);
    const user = userEvent.setup();
    await fillIn(user);
    await submit(user);
    expect(await screen.findByText(/^Checking… This takes a few seconds/)).toBeTruthy();
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    waiting.forEach((release) => release());
    expect(await screen.findByText("We got your message")).toBeTruthy();
    const [first, second] = sentMessages();
    expect(second?.headers["porchlight-proof"]).toMatch(new RegExp(`^${challenge}:\\d+$`));
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    expect(sentMessages()).toHaveLength(2);
  });

  it("shows a server error at its field", async () => {
    const body = {
      code: "validation_failed",
      message: "Please check the form.",
      fields: { subject: "Too mysterious" },
    };
    responses.set(ROUTE, { status: 422, body });
    renderApp(path);
    const user = userEvent.setup();
    await fillIn(user);
    await submit(user);
    expect(await screen.findByText("Too mysterious")).toBeTruthy();
    expect(screen.getByLabelText("Subject").getAttribute("aria-invalid")).toBe("true");
  });
});
