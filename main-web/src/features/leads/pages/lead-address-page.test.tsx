import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import type { LeadAddress } from "../api/get-lead-address";

const { responses, calls } = apiServer();
const ADDRESS: LeadAddress = { site: "cooking.porchlight.test", label: "cooking", state: "unconfirmed" };
const GET = "GET /api/lead-addresses/t1";
const PUT = "PUT /api/lead-addresses/t1";
const title = () => screen.findByRole("heading", { level: 1, name: "Did you write to cooking.porchlight.test?" });
const button = (name: string) => screen.getByRole("button", { name });
const written = () => calls.filter(({ route }) => !route.startsWith("GET"));

describe("the link in a site's emails", () => {
  it("shows a loading state, then asks and changes nothing", async () => {
    const { responder, release } = heldResponse(ADDRESS);
    responses.set(GET, responder);
    renderApp("/mail/t1");
    expect(await screen.findByRole("heading", { level: 1, name: "Did you write to this site?" })).toBeTruthy();
    expect(document.querySelector('[aria-busy="true"]')).toBeTruthy();
    release();
    expect(await title()).toBeTruthy();
    expect(document.querySelector('[aria-busy="true"]')).toBeNull();
    for (const name of ["Yes, that was me", "This wasn't me"]) {
      expect(button(name).getAttribute("aria-pressed")).toBe("false");
    }
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(written()).toEqual([]);
  });

  it("blocks email from the site, and takes it back", async () => {
    responses.set(GET, { body: ADDRESS });
    responses.set(PUT, ({ body }) => ({ body: { ...ADDRESS, ...(body as object) } }));
    renderApp("/mail/t1");
    await title();
    const user = userEvent.setup();
    await user.click(button("This wasn't me"));
    const blocked = "Thanks for telling us. We won't send you email from cooking.porchlight.test anymore.";
    expect(await screen.findByText(blocked)).toBeTruthy();
    expect(button("This wasn't me").getAttribute("aria-pressed")).toBe("true");
    await user.click(button("Yes, that was me"));
    expect(await screen.findByText("Thanks! cooking.porchlight.test can answer you by email.")).toBeTruthy();
    expect(screen.queryByText(blocked)).toBeNull();
    expect(written().map(({ body }) => body)).toEqual([{ state: "blocked" }, { state: "confirmed" }]);
  });

  it("shows at the pressed button that the answer is on its way", async () => {
    const { responder, release } = heldResponse({ ...ADDRESS, state: "blocked" });
    responses.set(GET, { body: ADDRESS });
    responses.set(PUT, responder);
    renderApp("/mail/t1");
    await title();
    await userEvent.setup().click(button("This wasn't me"));
    expect(button("This wasn't me").getAttribute("aria-busy")).toBe("true");
    expect(button("Yes, that was me").getAttribute("aria-busy")).toBeNull();
    expect(button("Yes, that was me").hasAttribute("disabled")).toBe(true);
    release();
    expect(await screen.findByText(/^Thanks for telling us/)).toBeTruthy();
    expect(button("Yes, that was me").hasAttribute("disabled")).toBe(false);
  });

  it("shows a failed answer, and sends it again", async () => {
    responses.set(GET, { body: ADDRESS });
    responses.set(PUT, { status: 503 });
    renderApp("/mail/t1");
    await title();
    const user = userEvent.setup();
    await user.click(button("This wasn't me"));
    expect((await screen.findByRole("alert")).textContent).toBe("Server error. Please try again later.");
    responses.set(PUT, { body: { ...ADDRESS, state: "blocked" } });
    await user.click(button("This wasn't me"));
    expect(await screen.findByText(/^Thanks for telling us/)).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("opens the report of the site from the report link", async () => {
    responses.set(GET, { body: ADDRESS });
    responses.set("POST /api/reports", { status: 201, body: { message: "Thanks." } });
    renderApp("/mail/t1#report");
    const dialog = within(await screen.findByRole("dialog", { name: "Report this" }));
    expect(dialog.getByText("cooking.porchlight.test")).toBeTruthy();
    const user = userEvent.setup();
    await user.selectOptions(dialog.getByLabelText("What's wrong?"), "spam");
    await user.click(dialog.getByRole("button", { name: "Send report" }));
    expect(await screen.findByText("Thanks.")).toBeTruthy();
    expect(written().map(({ body }) => body)).toEqual([{ kind: "site", name: "cooking", reason: "spam", details: "" }]);
  });

  it("leads to the contact form while reports are off", async () => {
    responses.set(GET, { body: ADDRESS });
    responses.set("GET /api/config", { body: { flags: { systemReports: false } } });
    renderApp("/mail/t1#report");
    await title();
    expect((await screen.findByRole("link", { name: "Contact us" })).getAttribute("href")).toBe("/contact");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("shows a load error and retries, and says when it is unknown", async () => {
    responses.set(GET, { status: 500 });
    renderApp("/mail/t1");
    expect(await screen.findByText("We couldn't load this page")).toBeTruthy();
    responses.set(GET, { status: 404, body: { code: "not_found", message: "Not found." } });
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Link not found" })).toBeTruthy();
    expect(screen.getByText("We don't know this link")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "This wasn't me" })).toBeNull();
  });
});
