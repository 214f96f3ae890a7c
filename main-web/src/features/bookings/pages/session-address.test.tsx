import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { bookingOf, later } from "./session-fixtures";

const { responses, calls } = apiServer();
const BOOKING = bookingOf();
const serve = (changes: object = {}) => responses.set("GET /api/bookings/b1", { body: { ...BOOKING, ...changes } });
const page = async () => screen.findByRole("heading", { level: 1, name: "Knife skills" });

describe("the address of a session", () => {
  it("is corrected, and what was typed stays after an error", async () => {
    const home = "12 Elm Street";
    serve({ place: "person", address: home });
    renderApp("/sessions/b1", ADA);
    await page();
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Change address" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Change your address" }));
    const field = dialog.getByLabelText<HTMLTextAreaElement>(/^Your address/);
    expect([document.activeElement, field.value, field.maxLength]).toEqual([field, home, 300]);
    const submit = dialog.getByRole("button", { name: "Change address" });
    await user.clear(field);
    await user.click(submit);
    expect(dialog.getByText("Enter the address where you'd like to meet.")).toBeTruthy();
    expect([document.activeElement, field.getAttribute("aria-invalid")]).toEqual([field, "true"]);

    responses.set("PUT /api/bookings/b1/address", { status: 503, body: {} });
    await user.type(field, " 9 Oak Street ");
    await user.click(submit);
    expect(await dialog.findByRole("alert")).toBeTruthy();
    const fields = { address: "Enter a shorter address." };
    responses.set("PUT /api/bookings/b1/address", {
      status: 422,
      body: { code: "validation_failed", message: "Please check what you entered.", fields },
    });
    await user.click(submit);
    expect(await dialog.findByText("Enter a shorter address.")).toBeTruthy();
    expect([dialog.queryByText("Please check what you entered."), field.value]).toEqual([null, " 9 Oak Street "]);

    const changed = { place: "person", address: "9 Oak Street" };
    responses.set("PUT /api/bookings/b1/address", () => {
      serve(changed);
      return { body: { ...BOOKING, ...changed } };
    });
    await user.click(submit);
    expect(await screen.findByText("Your address is changed. Chef Guru gets an email.")).toBeTruthy();
    expect(screen.getByText("9 Oak Street")).toBeTruthy();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Change address"));
    const sent = calls.filter(({ route }) => route.startsWith("PUT")).map(({ body }) => body);
    expect(sent).toEqual([1, 2, 3].map(() => ({ address: "9 Oak Street" })));
  });

  it.each([
    ["has ended", { place: "person", startsAt: later(-2), endsAt: later(-1) }],
    ["is canceled", { place: "person", status: "canceled" }],
    ["is at the guru's place", {}],
  ])("can't be corrected when the session %s", async (_, changes) => {
    serve(changes);
    renderApp("/sessions/b1", ADA);
    await page();
    expect(screen.queryByRole("button", { name: /address/ })).toBeNull();
  });

  it("is added to a session without one, and stays for the others of its series", async () => {
    serve({ place: "person", status: "requested", seriesId: "b1", expiresAt: later(24) });
    responses.set("GET /api/bookings/series/b1", { status: 503 });
    renderApp("/sessions/b1", ADA);
    await page();
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Add your address" }));
    const dialog = await screen.findByRole("dialog", { name: "Change your address" });
    expect(dialog.textContent).toContain("Chef Guru sees the new address with your request.");
    expect(dialog.textContent).toContain("The other sessions of your series keep theirs.");
    await user.click(within(dialog).getByRole("button", { name: "Keep this address" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(calls.filter(({ route }) => route.startsWith("PUT"))).toEqual([]);
  });
});
